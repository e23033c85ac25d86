/** Where a drill works; all of it is gone afterwards. */
export type Place = {
  /** An empty folder that PostgreSQL's user may write. */
  readonly folder: string;
  /** `LAUREL_DATA` of the service. */
  readonly dataFolder: string;
  /** What to end whatever becomes of the drill, the last one first. */
  readonly cleanUps: (() => Promise<void>)[];
};

/** One way to back up, made ready in a place: by the commands of docs/backup.md. */
export type Prepared = {
  /** Beside `LAUREL_DATA`. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the service has to be stopped while the backup is taken. */
  readonly stopsService: boolean;
  backup(): Promise<void>;
  /** The machine is gone: what runs is killed, and the data is deleted. The service was killed before. */
  lose(): Promise<void>;
  restore(): Promise<void>;
};

/** A way to back up. */
export type Method = {
  readonly name: string;
  /** What may be lost, in words. */
  readonly promise: string;
  /**
   * The moment before which no answered event may be lost.
   * @param backupAt when the backup began
   * @param lossAt when the machine was lost
   */
  keeps(backupAt: number, lossAt: number): number;
  prepare(place: Place): Promise<Prepared>;
};
