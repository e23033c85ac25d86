import type { Command } from './command.ts';
import { databaseCommands } from './database/database-commands.ts';
import { localCommands } from './local-commands.ts';
import { serviceCommands } from './service-commands.ts';

/** Every command. */
export const commands: readonly Command[] = [...databaseCommands, ...serviceCommands, ...localCommands];
