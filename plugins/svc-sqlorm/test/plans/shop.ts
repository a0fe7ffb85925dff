/**
 * 100 000 purchases of 10 000 customers, on an engine: ten at each moment, 20 000 in each state, half of them shipped, eleven
 * of each customer but the last thousand, who have none; 990 belong to no customer. Each is in a parcel.
 */
import { CompiledQuery, type Kysely } from 'kysely'
import { defineEntity } from 'svc-orm'

export const PURCHASES = 100_000
export const CUSTOMERS = 10_000
export const WITHOUT = 1000
export const OF_NO_CUSTOMER = 990
export const OF_A_STATE = PURCHASES / 5

export const CUSTOMER = defineEntity({
  name: 'Customer',
  schema: { code: { type: 'string', unique: true }, city: { type: 'string' } },
  relations: {
    purchases: { type: 'one-to-many', target: 'Purchase', mappedBy: 'customer' },
    parcels: { type: 'one-to-many', target: 'Parcel', mappedBy: 'customer' }
  },
  indexes: [{ fields: ['city'] }]
})

export const PURCHASE = defineEntity({
  name: 'Purchase',
  schema: {
    number: { type: 'string', unique: true },
    placed: { type: 'integer' },
    at: { type: 'date' },
    state: { type: 'string' },
    shipped: { type: 'boolean', default: false },
    note: { type: 'string', nullable: true }
  },
  relations: { customer: { type: 'many-to-one', target: 'Customer', nullable: true } },
  indexes: [{ fields: ['placed'] }, { fields: ['state', 'placed'] }, { fields: ['note'] }, { fields: ['shipped'] }]
})

export const PARCEL = defineEntity({
  name: 'Parcel',
  schema: { packed: { type: 'integer' }, label: { type: 'json' } },
  relations: { customer: { type: 'many-to-one', target: 'Customer' } },
  indexes: [{ fields: ['packed'] }]
})

interface Words {
  /** Rows `n` from 0. */
  readonly numbers: (count: number) => string
  readonly padded: (n: string) => string
}

const WORDS: Readonly<Record<'sqlite' | 'postgres', Words>> = {
  sqlite: {
    numbers: (count) =>
      `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1}) select $ from numbers`,
    padded: (n) => `printf('%012d', ${n})`
  },
  postgres: {
    numbers: (count) => `select $ from generate_series(0, ${count - 1}) as numbers(n)`,
    padded: (n) => `lpad((${n})::text, 12, '0')`
  }
}

export async function fillShop(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { numbers, padded } = WORDS[engine]
  const id = (n: string) => `'01890000-0000-7000-8000-' || ${padded(n)}`
  const insert = async (table: string, count: number, columns: Readonly<Record<string, string>>) => {
    const names = Object.keys(columns).map((name) => `"${name}"`)
    const rows = numbers(count).replace('$', () => Object.values(columns).join())
    await db.executeQuery(CompiledQuery.raw(`insert into ${table} (${names}) ${rows}`))
  }
  await insert('customer', CUSTOMERS, { id: id('n'), code: `'c' || n`, city: `'city ' || (n % 100)` })
  await insert('purchase', PURCHASES, {
    id: id('n'),
    number: `'p' || ${padded('n')}`,
    placed: 'n / 10',
    at: engine === 'sqlite' ? 'n * 60000' : `timestamptz 'epoch' + n * interval '1 minute'`,
    state: `'s' || (n % 5)`,
    shipped: engine === 'sqlite' ? 'n % 2' : 'n % 2 = 1',
    note: `case when n % 1000 = 0 then null else 'note ' || (n % 777) end`,
    customerId: `case when n % 101 = 100 then null else ${id(`n % ${CUSTOMERS - WITHOUT}`)} end`
  })
  await insert('parcel', PURCHASES, {
    id: id('n'),
    packed: 'n / 10',
    label:
      engine === 'sqlite'
        ? `json_object('weight', n % 7, 'to', json_object('country', 'c' || (n % 3)))`
        : `jsonb_build_object('weight', n % 7, 'to', jsonb_build_object('country', 'c' || (n % 3)))`,
    customerId: id(`n % ${CUSTOMERS - WITHOUT}`)
  })
  // PostgreSQL does both by itself a minute later: in the middle of what is compared.
  await db.executeQuery(CompiledQuery.raw(engine === 'postgres' ? 'vacuum analyze' : 'analyze'))
}
