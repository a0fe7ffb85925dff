/** What one instance publishes, a socket of another hears. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { RpcSocket } from '../../support/rpc-socket.ts'
import type { Served } from './mixed-load.ts'

const PATIENCE_MS = 15_000

/** @param cookie of a session that may speak and listen on `news` */
export async function messageArrives(speaking: Served, listening: Served, cookie: string): Promise<boolean> {
  const open = ({ port }: Served) => RpcSocket.open(port, { cookie, origin: `http://127.0.0.1:${port}` })
  const [listener, speaker] = [await open(listening), await open(speaking)]
  try {
    await listener.call('channel.subscribe', { channel: 'news' })
    let heard = false
    const hearing = (async () => {
      while ((await listener.next()).method !== 'channel.message');
      heard = true
    })().catch(() => undefined)
    const arrived = await within(PATIENCE_MS, async () => {
      if (!heard) await speaker.call('channel.publish', { channel: 'news', data: 'here' })
      return heard
    })
    if (arrived) await hearing
    return arrived
  } finally {
    listener.client.close()
    speaker.client.close()
  }
}

export async function within(patienceMs: number, holds: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > end) return false
    await sleep(20)
  }
  return true
}
