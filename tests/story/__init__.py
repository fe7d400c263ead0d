"""One whole story on one lab: from two bare clusters to the failback home, then judged write by write."""
