/** How long a URL may be, as it is sent. */
import t from 'tap'
import { endpointUrl, MAX_URL } from '../../src/registry/endpoint-url.ts'

const origin = 'https://a.example/'

t.equal(endpointUrl(new URL('HTTPS://A.Example')), origin, 'the normal form')
const longest = origin + 'x'.repeat(MAX_URL - origin.length)
t.equal(endpointUrl(new URL(longest)), longest)
const refusal = { code: 'SVC_WEBHOOKS_URL_REFUSED', statusCode: 422 }
t.throws(() => endpointUrl(new URL(`${longest}x`)), refusal)
t.throws(() => endpointUrl(new URL(origin + 'ü'.repeat(MAX_URL / 4))), refusal, 'six characters for each')
