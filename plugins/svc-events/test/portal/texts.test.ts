/** The languages of the portal. */
import t from 'tap'
import { PortalCatalogue } from '../../src/portal/texts.ts'
import { DE } from '../../src/portal/texts-de.ts'
import { EN } from '../../src/portal/texts-en.ts'

t.test('each language says the same, with the same fills', async (t) => {
  const fills = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
  t.strictSame(Object.keys(DE).sort(), Object.keys(EN).sort())
  for (const name of Object.keys(EN) as (keyof typeof EN)[]) {
    t.strictSame(fills(DE[name]), fills(EN[name]), name)
    t.not(DE[name].trim(), '', name)
  }
})

t.test('the application replaces texts, and adds languages', async (t) => {
  const catalogue = new PortalCatalogue({ fr: { title: 'Crochets' }, 'de-AT': { title: 'Haken' } })
  t.equal(catalogue.of('fr-CA').title, 'Crochets')
  t.equal(catalogue.of('fr').save, 'Save', 'what a language lacks is said in English')
  t.equal(catalogue.of('de-AT').title, 'Haken')
  t.equal(catalogue.of('de-AT').save, 'Speichern')
  t.equal(catalogue.of('de-CH').title, 'Webhooks')
  t.equal(catalogue.of('xx').save, 'Save')
})

t.test('the browser says which of them it prefers', async (t) => {
  const catalogue = new PortalCatalogue({})
  t.equal(catalogue.preferred('pt, de-CH;q=0.8, en;q=0.5', 'en').locale, 'de-CH')
  t.equal(catalogue.preferred('pt', 'de').locale, 'de')
  t.equal(catalogue.preferred(undefined, 'en').texts.save, 'Save')
  for (const odd of ['"><script>', 'de-"><b>', 'de-x', 'de-1'])
    t.equal(catalogue.preferred(odd, 'en').locale, 'en', odd)
})
