"""What is remembered of earlier questions, by who said it (S3 §5.3)."""
