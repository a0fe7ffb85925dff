/** Targets as the admin plane shows them: where the database is, never how to get in. */
import fc from 'fast-check'
import { maskTarget } from 'svc-stores/table'
import t from 'tap'

const TABLE: readonly (readonly [target: string, shown: string])[] = [
  ['postgres://host/db', 'postgres://host/db'],
  ['postgres://user:secret@host:5432/db', 'postgres://host:5432/db'],
  ['postgresql://user@host/db', 'postgresql://host/db'],
  ['POSTGRES://user:secret@HOST/db', 'postgres://HOST/db'],
  ['postgres://u:p%40ss@host/db?sslkey=/k&password=secret#frag', 'postgres://host/db'],
  ['postgres://u:p@ss@host/db', 'postgres://host/db'],
  ['postgres://u:p/a/ss@host/db', 'postgres://host/db'],
  ['postgres://u:p?ss@host/db', 'postgres://...'],
  ['postgres://u:p#ss@host/db', 'postgres://...'],
  ['postgres://u:p@s?s@host/db', 'postgres://...'],
  ['postgres://host/db?user=me@secret', 'postgres://...'],
  ['postgres://u:p@a:5432,b:5433,c/db?target_session_attrs=any', 'postgres://a:5432,b:5433,c/db'],
  ['mongodb://u:p@a:27017,b:27018/svc?replicaSet=rs0&authSource=admin', 'mongodb://a:27017,b:27018/svc'],
  ['mongodb+srv://u:secret@cluster.example.org/svc?w=majority', 'mongodb+srv://cluster.example.org/svc'],
  ['mongodb://a,b,c', 'mongodb://a,b,c'],
  ['mongodb://u:p@[::1]:27017,[fe80::1%25eth0]/svc', 'mongodb://[::1]:27017,[fe80::1%25eth0]/svc'],
  ['mongodb://u:p@%2Ftmp%2Fmongodb.sock/svc', 'mongodb://%2Ftmp%2Fmongodb.sock/svc'],
  ['postgres://u:secret@a,u2:hidden@b/db', 'postgres://b/db'],
  ['postgres://a,secret pass,b/db', 'postgres://a,...,b/db'],
  ['postgres://host/db/secret', 'postgres://host/...'],
  ['postgres:///db', 'postgres:///db'],
  ['redis://:secret@host:6379/0', 'redis://host:6379/0'],
  ['jdbc:postgresql://u:secret@host/db', 'jdbc:postgresql://host/db'],
  ['u:secret@host/db', 'host/db'],
  ['host=a,b port=5432 user=me password=secret dbname=shop', 'host=a,b port=5432 dbname=shop'],
  ["host=a password='se cret host=x' dbname=shop", 'host=a dbname=shop'],
  ["password='it\\'s host=leak' host = a", 'host=a'],
  ['password=secret', '...'],
  ['data/app.sqlite', 'data/app.sqlite'],
  ['./data/app.sqlite', './data/app.sqlite'],
  ['/var/lib/@shop/app.sqlite', '/var/lib/@shop/app.sqlite'],
  ['C:\\data\\app.sqlite', 'C:\\data\\app.sqlite'],
  [':memory:', ':memory:'],
  ['file:data.sqlite?key=secret', 'file:data.sqlite'],
  ['sqlite:///data/app.sqlite?hexkey=secret', 'sqlite:///data/app.sqlite'],
  ['', '']
]

t.test('what is shown of a target', async (t) => {
  for (const [target, shown] of TABLE) t.equal(maskTarget(target), shown, target)
})

t.test('a shown target shows as itself', async (t) => {
  for (const [, shown] of TABLE) t.equal(maskTarget(shown), shown)
})

t.test('no password of any text is shown', async () => {
  const secret = fc.string({ minLength: 1, maxLength: 12 }).map((text) => `SECRET${text}SECRET`)
  const host = fc.constantFrom('host', 'a:1,b:2', '[::1]:5432', '')
  fc.assert(
    fc.property(secret, host, (password, hosts) => {
      for (const scheme of ['postgres', 'mongodb', 'mongodb+srv']) {
        const shown = maskTarget(`${scheme}://user:${password}@${hosts}/db?x=1`)
        if (shown.includes('SECRET')) throw new Error(shown)
      }
    }),
    { numRuns: 2000 }
  )
})
