// Preloaded into a service by `--import`: the process dies, as by a native crash or a lack of memory, whenever it has applied an
// asynchronous event with the code KILL and is about to remove it from the inbox. Nothing is committed then.
import pg from 'pg';

const seen = new WeakSet();
const { query } = pg.Client.prototype;

pg.Client.prototype.query = function queryUntilDeath(config, ...rest) {
  const text = typeof config === 'string' ? config : config.text;
  if (seen.has(this) && text.startsWith('delete from trigger_inbox')) process.kill(process.pid, 'SIGKILL');
  if (text === 'rollback' || text === 'commit') seen.delete(this);
  const answer = query.call(this, config, ...rest);
  if (text.includes('from trigger_inbox') && text.includes('for update')) {
    void answer?.then(
      ({ rows }) => rows.some(({ programmaticCode }) => programmaticCode === 'KILL') && seen.add(this),
      () => {},
    );
  }
  return answer;
};
