CREATE TABLE IF NOT EXISTS widgets (
	namespace TEXT NOT NULL,
	name TEXT NOT NULL,
	size INTEGER,
	PRIMARY KEY (namespace, name)
);
