"""The polarity of each place of a real sentence, judged twice: by the words around it, and by a parse."""
