/** Names of applications: which are allowed, and what is proposed for the others. */
import t from 'tap'
import { cleanAppName, isAppName } from '../../src/create/app-name.ts'

const TAKEN = ['svc-kernel', 'vite']

const rows: Array<[name: string, allowed: boolean, cleaned: string]> = [
  ['shop', true, 'shop'],
  ['my-shop-2', true, 'my-shop-2'],
  ['Shop!', false, 'shop'],
  ['My Shop', false, 'my-shop'],
  ['apps/Café', false, 'cafe'],
  ['.demo', false, 'demo'],
  ['2fast', false, 'fast'],
  ['shop_one', false, 'shop-one'],
  ['-shop-', false, 'shop'],
  ['', false, 'my-app'],
  ['!!!', false, 'my-app'],
  ['..', false, 'my-app'],
  ['../../etc', false, 'etc'],
  ['svc-kernel', false, 'svc-kernel-app'],
  ['vite', false, 'vite-app'],
  ['node_modules', false, 'node-modules-app'],
  ['a'.repeat(64), true, 'a'.repeat(60)],
  ['a'.repeat(65), false, 'a'.repeat(60)]
]

for (const [name, allowed, cleaned] of rows) {
  t.test(`${JSON.stringify(name)}: ${allowed ? 'allowed' : `refused, ${cleaned} proposed`}`, async (t) => {
    t.equal(isAppName(name, TAKEN), allowed)
    t.equal(cleanAppName(name, TAKEN), cleaned)
    t.ok(isAppName(cleanAppName(name, TAKEN), TAKEN), 'what is proposed is allowed')
  })
}
