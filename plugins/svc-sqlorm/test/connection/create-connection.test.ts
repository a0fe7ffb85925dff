/** URLs of connectors: which engine, and where. */
import { resolve } from 'node:path'
import t from 'tap'
import { parseDatabaseUrl } from '../../src/connection/create-connection.ts'

const FILES: readonly (readonly [url: string, path: string])[] = [
  ['sqlite::memory:', ':memory:'],
  ['sqlite:./data/app.db', '/srv/shop/data/app.db'],
  ['sqlite:data/app.db', '/srv/shop/data/app.db'],
  ['sqlite:../app.db', '/srv/app.db'],
  ['sqlite:/var/lib/app.db', '/var/lib/app.db'],
  ['sqlite:///var/lib/app.db', '/var/lib/app.db'],
  ['sqlite://./app.db', '/srv/shop/app.db'],
  ['sqlite:a b%20c?.db', '/srv/shop/a b%20c?.db']
]

const inShop = (path: string): string => resolve('/srv/shop', path)

for (const [url, path] of FILES) {
  t.test(url, async (t) => t.match(parseDatabaseUrl(url, inShop), { engine: 'sqlite', path }))
}

for (const url of ['postgres://u:p@h:5432/d', 'postgresql://h/d', 'postgres://u:p%40@[::1]/d?sslmode=require']) {
  t.test(url, async (t) => t.strictSame(parseDatabaseUrl(url, inShop), { engine: 'postgres', url }))
}

for (const url of [
  '',
  'sqlite:',
  'mysql://h/d',
  'mongodb://h/d',
  'app.db',
  'postgres:',
  'postgres://',
  'sqlite:a\0b'
]) {
  t.test(`refused: ${JSON.stringify(url)}`, async (t) => t.equal(parseDatabaseUrl(url, inShop), null))
}
