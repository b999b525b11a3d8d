//! Where flags become decisions: the database, the evidence, the pages and the API of the officers.
