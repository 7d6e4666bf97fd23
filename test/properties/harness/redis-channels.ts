import { Redis } from 'ioredis';

/** How many channels of this Redis somebody listens to. */
export async function channelsOf(url: string): Promise<number> {
  const redis = new Redis(url);
  try {
    return ((await redis.pubsub('CHANNELS')) as string[]).length;
  } finally {
    redis.disconnect();
  }
}
