create table api_key (id varchar primary key, plan varchar not null);
insert into api_key values ('key-of-alice', 'free'), ('key-of-acme', 'paid');
