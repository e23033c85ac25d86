import { Migration } from '@mikro-orm/migrations';

/** CSV files that are loaded in the background, what is stored of them meanwhile, and their refused rows. */
export class CsvImports extends Migration {
  override up(): void {
    this.addSql(`create table "csv_import" (
      "client_id" uuid not null,
      "id" uuid not null,
      "type" text not null,
      "status" text not null,
      "file_name" text not null,
      "audience_id" uuid null,
      "product_id" uuid null,
      "item_id" uuid null,
      "bytes" bigint not null default '0',
      "upload" uuid null,
      "uploaded_at" timestamptz(3) not null,
      "position" bigint not null default '0',
      "line" int not null default 1,
      "rows_total" int null,
      "rows_created" int not null default 0,
      "rows_updated" int not null default 0,
      "rows_unchanged" int not null default 0,
      "rows_refused" int not null default 0,
      "failures" int not null default 0,
      "error" text null,
      "runner" uuid null,
      "lease_until" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      "started_at" timestamptz(3) null,
      "finished_at" timestamptz(3) null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "csv_import_list" on "csv_import" ("client_id", "created_at", "id");`);
    this.addSql(`create index "csv_import_open" on "csv_import" ("client_id", "id") where finished_at is null;`);
    this.addSql(`alter table "csv_import"
      add constraint "csv_import_type_check"
      check ("type" in ('ACCOUNTS', 'PRODUCT_CODES'));`);
    this.addSql(`alter table "csv_import"
      add constraint "csv_import_status_check"
      check ("status" in ('UPLOADING', 'QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED'));`);

    this.addSql(`create table "csv_import_chunk" (
      "client_id" uuid not null,
      "import_id" uuid not null,
      "position" bigint not null,
      "data" bytea not null,
      primary key ("client_id", "import_id", "position")
    );`);

    this.addSql(`create table "csv_import_refusal" (
      "client_id" uuid not null,
      "import_id" uuid not null,
      "position" bigint not null,
      "line" int not null,
      "key" text not null,
      "reason" text not null,
      primary key ("client_id", "import_id", "position")
    );`);

    for (const table of ['csv_import', 'csv_import_chunk', 'csv_import_refusal']) {
      for (const sql of ownedByClient(table)) this.addSql(sql);
    }
    // Not declared by the entities. Pieces are read once and deleted: compressing them would cost more than it saves.
    this.addSql(`alter table csv_import_chunk alter column data set storage external;`);
    // The cursor moves with every batch, in place.
    this.addSql(`alter table csv_import set (fillfactor = 50);`);
    this.addSql(`alter table csv_import add constraint csv_import_client_id_fkey
      foreign key (client_id) references client (id);`);
    this.addSql(`alter table csv_import add constraint csv_import_product_id_fkey
      foreign key (client_id, product_id) references product (client_id, id);`);
    this.addSql(`alter table csv_import add constraint csv_import_audience_id_fkey
      foreign key (client_id, audience_id) references audience (client_id, id);`);
    for (const table of ['csv_import_chunk', 'csv_import_refusal']) {
      this.addSql(`alter table ${table} add constraint ${table}_import_id_fkey
        foreign key (client_id, import_id) references csv_import (client_id, id);`);
    }
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
