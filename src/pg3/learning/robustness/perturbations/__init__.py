"""Problems like the user's, made to test policies on."""
