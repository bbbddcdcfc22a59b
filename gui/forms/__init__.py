"""Forms made from the described fields of the document."""
