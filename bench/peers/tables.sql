-- What a team would lay down for the same event: missions are few and live in memory, the rest is here.
create table assignment (
  account_id uuid not null,
  mission_id uuid not null,
  progress int not null default 0,
  target int not null,
  status text not null default 'ACTIVE',
  started_at timestamptz not null default now(),
  completed_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (account_id, mission_id)
);
create table operation (
  id text primary key,
  account_id uuid not null,
  response jsonb not null,
  created_at timestamptz not null default now()
);
create table outbox (
  id bigint generated always as identity primary key,
  account_id uuid not null,
  body jsonb not null,
  created_at timestamptz not null default now()
);
