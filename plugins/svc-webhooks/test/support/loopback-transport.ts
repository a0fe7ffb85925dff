/** A transport for receivers of a test: loopback is opened, names resolve to what the test says, time stands still. */
import { ManualClock } from 'svc-stores/conformance'
import { createTransport, type Transport, type TransportOptions } from '../../src/delivery/transport/transport.ts'
import type { Lookup } from '../../src/ssrf/lookup.ts'

export const DEADLINE_MS = 10_000

/** Every name leads to 127.0.0.1. */
export const toLoopback: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]

export const LOOPBACK_POLICY = { allowHttp: true, denyPrivateIps: true, allowCidrs: ['127.0.0.0/8'] }

export function loopbackTransport(options: Partial<TransportOptions> = {}): {
  transport: Transport
  clock: ManualClock
} {
  const clock = new ManualClock()
  const transport = createTransport({
    policy: LOOPBACK_POLICY,
    lookup: toLoopback,
    clock,
    maxConnections: 8,
    ...options
  })
  return { transport, clock }
}

/** A delivery to this path of a receiver that listens on a port of 127.0.0.1. */
export function deliveryTo(port: number, path = '/in', host = 'hooks.example.com') {
  return {
    url: `http://${host}:${port}${path}`,
    headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
    body: Buffer.from('{"type":"login.failure"}')
  }
}
