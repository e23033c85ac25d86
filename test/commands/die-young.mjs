// Preloaded into a service by `--import`: each process of a cluster but the first dies soon after it has begun to serve.
import cluster from 'node:cluster';
import net from 'node:net';

if (cluster.isWorker) {
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function listenAndDie(...args) {
    this.once('listening', () => setTimeout(() => process.exit(7), 50));
    return listen.apply(this, args);
  };
}
