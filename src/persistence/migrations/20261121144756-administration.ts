import { Migration } from '@mikro-orm/migrations';

/** What operators edit carries a version, what is archived stays, and what the console counts is found by an index. */
export class Administration extends Migration {
  override up(): void {
    for (const table of VERSIONED) this.addSql(`alter table "${table}" add "version" int not null default 1;`);
    for (const table of ARCHIVED) this.addSql(`alter table "${table}" add "deleted_at" timestamptz(3) null;`);
    this.addSql(`alter table "audience" add "description" text not null default '';`);
    this.addSql(`alter table "chest_definition" add "updated_at" timestamptz(3) not null default now();`);

    this.addSql(`create index "assignment_mission" on "assignment" ("client_id", "mission_id");`);
    this.addSql(`create index "campaign_completion_campaign" on "campaign_completion" ("client_id", "campaign_id");`);
    this.addSql(`create index "chest_definition_won" on "chest" ("client_id", "chest_id");`);

    this.addSql(`create table "statistic_hour" (
      "client_id" uuid not null,
      "hour" timestamptz(3) not null,
      "events_applied" int not null default 0,
      "missions_completed" int not null default 0,
      "campaigns_completed" int not null default 0,
      "rewards_delivered" int not null default 0,
      "webhooks_delivered" int not null default 0,
      "webhooks_failed" int not null default 0,
      primary key ("client_id", "hour")
    );`);
    for (const sql of ownedByClient('statistic_hour')) this.addSql(sql);
  }
}

const VERSIONED = [
  'agreement',
  'audience',
  'chest_definition',
  'client',
  'event_definition',
  'mission',
  'product',
  'publication',
  'reward',
];

const ARCHIVED = ['chest_definition', 'product', 'reward'];

function ownedByClient(table: string): string[] {
  const own = `client_id = nullif(current_setting('laurel.client_id', true), '')::uuid`;
  return [
    `alter table "${table}" enable row level security;`,
    `alter table "${table}" force row level security;`,
    `create policy "own_client" on "${table}" to "laurel_app" using (${own}) with check (${own});`,
    `create policy "every_client" on "${table}" to "laurel_system" using (true) with check (true);`,
  ];
}
