-- The table that ratelimit.rule-source.jdbc.table names; it may have any name, and further columns.
-- Tested on H2 and PostgreSQL. Where there is no type text, write clob, or varchar(4000).
create table ratelimit_rules (
    id         varchar(64) not null primary key, -- of the rule
    definition text        not null              -- what stands below ratelimit.rules.<id> in application.yml
);
