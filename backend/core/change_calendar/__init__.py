"""When planned operations may start: change windows and freezes."""
