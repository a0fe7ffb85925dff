/** Where the identity of an open WebSocket may be carried, by zone and by what proved it. */
import t from 'tap'
import { type Carriage, judgeCarriage, type SocketEntry } from '../../src/authentication/identity-propagation.ts'
import { compileZone } from '../../src/authentication/zones/zone.ts'

const area = { mode: 'first', realtime: true, basicWithoutSecondFactor: false } as const
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

const entered = (authenticator: string | null): SocketEntry => ({ zone: socket, authenticator })

const rows: ReadonlyArray<readonly [SocketEntry | null, Record<keyof typeof zones, Carriage>]> = [
  [entered('session'), { socket: 'carry', api: 'carry', open: 'carry', both: 'refused', deaf: 'nobody' }],
  [entered('jwt'), { socket: 'carry', api: 'refused', open: 'refused', both: 'refused', deaf: 'nobody' }],
  [entered('anonymous'), { socket: 'carry', api: 'refused', open: 'carry', both: 'refused', deaf: 'nobody' }],
  [entered(null), { socket: 'carry', api: 'refused', open: 'refused', both: 'refused', deaf: 'nobody' }],
  [null, { socket: 'anonymous', api: 'refused', open: 'anonymous', both: 'refused', deaf: 'nobody' }]
]

for (const [entry, expected] of rows) {
  for (const [name, carriage] of Object.entries(expected)) {
    const who = entry === null ? 'a socket without entry' : `a socket proved by ${entry.authenticator}`
    t.equal(judgeCarriage(zones[name as keyof typeof zones], entry), carriage, `${who} into ${name}: ${carriage}`)
  }
}

t.test('a zone of mode all takes the identity that it proved itself', async (t) => {
  t.equal(judgeCarriage(zones.both, { zone: zones.both, authenticator: 'jwt' }), 'carry')
})
