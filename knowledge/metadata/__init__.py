"""What is said of documents outside their text: in files beside them, by rules of folders, by people; and who wins."""

from .beside import Beside, file_of, is_metadata_file, said_beside
from .layers import Layers
from .statement import Statement, first_of

__all__ = ["Beside", "Layers", "Statement", "file_of", "first_of", "is_metadata_file", "said_beside"]
