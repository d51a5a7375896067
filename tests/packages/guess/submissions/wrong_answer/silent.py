# Ends well and has said nothing.
