; nothing but this line
