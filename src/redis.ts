/** `handrail/redis`: sessions of `handrail/server` in Redis, for several processes that serve the same ones. For Node. */

export {
  createRedisSessionStore,
  type RedisSessionStore,
  type RedisSessionStoreOptions,
} from './server/stores/redis/create-redis-session-store.ts';
export type { RedisConnection } from './server/stores/redis/redis-connection.ts';
