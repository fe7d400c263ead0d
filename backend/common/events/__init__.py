"""Events as rows with growing ids: streams follow them, and the history of a link is read from them."""
