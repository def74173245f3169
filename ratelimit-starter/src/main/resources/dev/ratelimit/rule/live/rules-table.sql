-- The table that ratelimit.rule-source.jdbc.table names; it may have any name, and further columns.
-- For H2, PostgreSQL, MySQL, MariaDB and SQLite. Elsewhere write clob, or varchar(4000), for text.
create table ratelimit_rules (
    id   varchar(64) not null primary key, -- of the rule
    rule text        not null              -- what stands below ratelimit.rules.<id> in application.yml
);
