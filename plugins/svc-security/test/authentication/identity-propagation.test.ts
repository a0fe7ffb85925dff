/** Where the identity of an open WebSocket may be propagated, by zone and by what proved it. */
import t from 'tap'
import { decidePropagation, type Handshake, type Propagation } from '../../src/authentication/identity-propagation.ts'
import { compileZone } from '../../src/authentication/zones/zone-map.ts'

const area = { mode: 'first', realtime: true, uncheckedSocketS: 60, basicWithoutSecondFactor: false } as const
const zone = (name: string, authenticators: string[], more: { mode?: 'first' | 'all'; realtime?: boolean } = {}) =>
  compileZone(name, 0, { pattern: `^/${name}`, authenticators, ...area, ...more }, false)

const socket = zone('socket', ['session', 'jwt', 'anonymous'])
const zones = {
  socket,
  api: zone('api', ['session', 'apikey']),
  open: zone('open', ['session', 'anonymous']),
  both: zone('both', ['session', 'jwt'], { mode: 'all' }),
  deaf: zone('deaf', ['session', 'jwt', 'anonymous'], { realtime: false })
}

const entered = (authenticator: string | null): Handshake => ({ zone: socket, authenticator })

const rows: ReadonlyArray<readonly [Handshake | null, Record<keyof typeof zones, Propagation>]> = [
  [entered('session'), { socket: 'propagated', api: 'propagated', open: 'propagated', both: 'refused', deaf: 'none' }],
  [entered('jwt'), { socket: 'propagated', api: 'refused', open: 'refused', both: 'refused', deaf: 'none' }],
  [entered('anonymous'), { socket: 'propagated', api: 'refused', open: 'propagated', both: 'refused', deaf: 'none' }],
  [entered(null), { socket: 'propagated', api: 'refused', open: 'refused', both: 'refused', deaf: 'none' }],
  [null, { socket: 'anonymous', api: 'refused', open: 'anonymous', both: 'refused', deaf: 'none' }]
]

for (const [handshake, expected] of rows) {
  for (const [name, propagation] of Object.entries(expected)) {
    const who = handshake === null ? 'a socket without handshake' : `a socket proved by ${handshake.authenticator}`
    t.equal(
      decidePropagation(zones[name as keyof typeof zones], handshake),
      propagation,
      `${who} into ${name}: ${propagation}`
    )
  }
}

t.test('a zone of mode all takes the identity that it proved itself', async (t) => {
  t.equal(decidePropagation(zones.both, { zone: zones.both, authenticator: 'jwt' }), 'propagated')
})
