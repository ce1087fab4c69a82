(definition (domain x))
