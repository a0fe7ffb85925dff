/** Which failures of a look-up may pass, and which say that there is no such name. */
import t from 'tap'
import { lookupFailure } from '../../src/ssrf/lookup-failure.ts'

const momentary = [
  'EAI_AGAIN',
  'ETIMEOUT',
  'ETIMEDOUT',
  'ESERVFAIL',
  'EREFUSED',
  'ECONNREFUSED',
  'EMFILE',
  'ECANCELLED'
]
const lasting = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NONAME', 'ERR_INVALID_ARG_VALUE', '', 'eai_again']

for (const code of momentary) t.equal(lookupFailure(Object.assign(new Error(), { code })), 'resolver', code)
for (const code of lasting) t.equal(lookupFailure(Object.assign(new Error(), { code })), 'unresolvable', code)
for (const thrown of [new Error('EAI_AGAIN'), 'EAI_AGAIN', null, undefined, 7]) {
  t.equal(lookupFailure(thrown), 'unresolvable', String(thrown))
}
