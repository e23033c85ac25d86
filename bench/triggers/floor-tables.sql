-- Integers for keys: what is cheapest for PostgreSQL.
create table operation (
  id uuid primary key,
  account int not null,
  created_at timestamptz not null default now()
);
create table assignment (
  account int not null,
  mission int not null,
  progress bigint not null,
  target bigint not null,
  status text not null,
  updated_at timestamptz not null default now(),
  primary key (account, mission)
);
create table outbox (
  id bigint generated always as identity primary key,
  account int not null,
  body text not null,
  created_at timestamptz not null default now()
);
insert into assignment (account, mission, progress, target, status)
select account, 1, 0, 1000000, 'ACTIVE' from generate_series(1, 100000) as account;
