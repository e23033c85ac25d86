import { Migration } from '@mikro-orm/migrations';

/** Publications, the agreements whose stock they share, and reservations. */
export class Marketplace extends Migration {
  override up(): void {
    this.addSql(`create table "agreement" (
      "client_id" uuid not null,
      "id" uuid not null,
      "name" text not null,
      "stock" int not null default 0,
      "reserved" int not null default 0,
      "units_added" bigint not null default '0',
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);

    this.addSql(`create table "publication" (
      "client_id" uuid not null,
      "id" uuid not null,
      "product_id" uuid not null,
      "agreement_id" uuid null,
      "name" text not null,
      "description" text not null default '',
      "status" text not null default 'DRAFT',
      "pause_reason" text null,
      "stock" int not null default 0,
      "reserved" int not null default 0,
      "units_added" bigint not null default '0',
      "points_cost" numeric(20,4) null,
      "status_changed_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "publication_list" on "publication" ("client_id", "name", "id");`);
    this.addSql(`create index "publication_agreement"
      on "publication" ("client_id", "agreement_id")
      where agreement_id is not null;`);

    this.addSql(`create table "reservation" (
      "client_id" uuid not null,
      "id" uuid not null,
      "publication_id" uuid not null,
      "agreement_id" uuid null,
      "account_id" uuid not null,
      "quantity" int not null,
      "status" text not null default 'ACTIVE',
      "expires_at" timestamptz(3) not null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "reservation_open"
      on "reservation" ("client_id", "publication_id", "expires_at")
      where status = 'ACTIVE';`);
    this.addSql(`create index "reservation_open_of_agreement"
      on "reservation" ("client_id", "agreement_id", "expires_at")
      where status = 'ACTIVE' and agreement_id is not null;`);
    this.addSql(`create index "reservation_account" on "reservation" ("client_id", "account_id", "id");`);

    this.addSql(`alter table "agreement"
      add constraint "agreement_reserved_check"
      check (reserved between 0 and stock);`);
    this.addSql(`alter table "publication"
      add constraint "publication_reserved_check"
      check (reserved between 0 and stock);`);
    this.addSql(`alter table "publication"
      add constraint "publication_status_check"
      check ("status" in ('DRAFT', 'PUBLISHED_ON_MARKETPLACE'));`);
    this.addSql(`alter table "publication"
      add constraint "publication_pause_reason_check"
      check ("pause_reason" in ('NONE', 'MANUAL', 'PUBLICATION_OUT_OF_STOCK', 'AGREEMENT_OUT_OF_STOCK'));`);
    this.addSql(`alter table "reservation"
      add constraint "reservation_quantity_check"
      check (quantity > 0);`);
    this.addSql(`alter table "reservation"
      add constraint "reservation_status_check"
      check ("status" in ('ACTIVE', 'RELEASED', 'REDEEMED', 'EXPIRED'));`);
    for (const table of ['agreement', 'publication', 'reservation']) {
      for (const sql of ownedByClient(table)) this.addSql(sql);
    }
    // Not declared by the entities: references between what administrators write, and room to update rows in place.
    this.addSql(`alter table agreement add constraint agreement_client_id_fkey
      foreign key (client_id) references client (id);`);
    this.addSql(`alter table publication add constraint publication_product_id_fkey
      foreign key (client_id, product_id) references product (client_id, id);`);
    this.addSql(`alter table publication add constraint publication_agreement_id_fkey
      foreign key (client_id, agreement_id) references agreement (client_id, id);`);
    for (const table of ['agreement', 'publication']) this.addSql(`alter table ${table} set (fillfactor = 50);`);
  }
}

function ownedByClient(table: string): string[] {
  const own = `client_id = nullif(current_setting('laurel.client_id', true), '')::uuid`;
  return [
    `alter table "${table}" enable row level security;`,
    `alter table "${table}" force row level security;`,
    `create policy "own_client" on "${table}" to "laurel_app" using (${own}) with check (${own});`,
    `create policy "every_client" on "${table}" to "laurel_system" using (true) with check (true);`,
  ];
}
