/** Types whose values are texts of one form: what is given in another is read in that one, on every database. */
import assert from 'node:assert/strict'
import { type Cases, refused } from './conformance-suite.ts'

export const formCases: Cases = {
  'an address and a URL have one form, and are searched as text; a duration has no order': async ({ things }) => {
    const given = {
      mail: 'Ann.Lee@Example.ORG',
      site: 'HTTPS://Example.org:443/a b'.replace(' ', '%20'),
      lasts: 'P1DT12H'
    }
    const shown = { mail: 'Ann.Lee@example.org', site: 'https://example.org/a%20b', lasts: 'P1DT12H' }
    const { id } = await things.create(given)
    const row = await things.findOne({ id })
    assert.deepEqual({ mail: row?.mail, site: row?.site, lasts: row?.lasts }, shown)
    assert.equal(await things.count(given), 1)
    assert.equal(await things.count({ mail: { $contains: 'lee@' } }), 1)
    assert.equal(await things.count({ site: { $startsWith: 'https://' }, lasts: ['P1DT12H', 'PT1M'] }), 1)
    await refused(() => things.create({ mail: 'Ann.Lee@example.ORG' }), 'SVC_ORM_UNIQUE', 409)
    await refused(() => things.count({ lasts: { $gt: 'PT1M' } }), 'SVC_ORM_CRITERIA', 400)
    for (const wrong of [{ mail: 'ann@' }, { site: 'javascript:alert(1)' }, { lasts: '1 day' }, { lasts: 'P' }]) {
      await refused(() => things.create(wrong), 'SVC_ORM_VALUE', 400)
    }
  },
  'an amount of money has one form with its currency, and no order': async ({ things }) => {
    const { id } = await things.create({ cost: '-12.5 EUR' })
    assert.equal((await things.findOne({ id }))?.cost, '-12.50 EUR')
    assert.equal(await things.count({ cost: ['-12.50 EUR', '1 JPY'] }), 1)
    assert.equal(await things.count({ cost: '-12.50 USD' }), 0)
    await refused(() => things.create({ cost: '-12.50 EUR' }), 'SVC_ORM_UNIQUE', 409)
    assert.equal((await things.updateOne({ id }, { cost: '-0 USD' }))?.cost, '0.00 USD')
    await refused(() => things.count({ cost: { $gt: '1 EUR' } }), 'SVC_ORM_CRITERIA', 400)
    for (const wrong of ['12.50', '1.005 EUR', '1 eur', 12.5]) {
      await refused(() => things.create({ cost: wrong }), 'SVC_ORM_VALUE', 400)
    }
  }
}
