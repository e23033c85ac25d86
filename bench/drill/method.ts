/** The folders of a drill, deleted afterwards. */
export type Workspace = {
  /** An empty folder that PostgreSQL's user may write. */
  readonly folder: string;
  /** The value of `LAUREL_DATA` for the service. */
  readonly dataFolder: string;
  /** Functions that run after the drill, with any result, in reverse order. */
  readonly cleanUps: (() => Promise<void>)[];
};

/** A backup method, set up in a workspace with the commands of docs/backup.md. */
export type Prepared = {
  /** The environment beside `LAUREL_DATA`. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the service has to stop during the backup. */
  readonly stopsService: boolean;
  backup(): Promise<void>;
  /** Loses the machine: kills its processes and deletes its data. The service was killed before. */
  lose(): Promise<void>;
  restore(): Promise<void>;
};

/** A backup method. */
export type Method = {
  readonly name: string;
  /** The guaranteed maximum loss, in words. */
  readonly promise: string;
  /**
   * The time before which no answered event may be lost.
   * @param backupAt the start of the backup
   * @param lossAt the time of the loss
   */
  keeps(backupAt: number, lossAt: number): number;
  prepare(workspace: Workspace): Promise<Prepared>;
};
