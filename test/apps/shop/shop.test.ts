/** A shop of ten entities, without a native statement: every question on every database, beside plain data. */
import t from 'tap'
import { onEveryDatabase } from '../../support/entity-databases.ts'
import { startApp } from '../../support/start-app.ts'
import { CHANGES } from './changes.ts'
import { entities } from './entities.ts'
import { FINDS } from './questions.ts'
import { REPORTS } from './reports.ts'
import { fill, shopOf } from './shop.ts'
import { shopData } from './shop-data.ts'
import { TOTALS } from './totals.ts'

await onEveryDatabase(t, [...entities], async (t, modules) => {
  const { fastify } = await startApp(t, { mode: 'test', security: false, modules })
  const shop = shopOf(fastify)
  const data = shopData()
  await fill(shop, data)
  for (const { name, ask, answer } of [...FINDS, ...REPORTS, ...TOTALS, ...CHANGES]) {
    await t.test(name, async (t) => t.strictSame(await ask(shop, data), answer(data)))
  }
})
