/** What counts as a bearer credential, and who claims which. */
import t from 'tap'
import type { AuthenticationContext } from '../../../src/authentication/authenticators/authenticator.ts'
import {
  ApiKeyAuthenticator,
  credentialReader,
  JwtAuthenticator
} from '../../../src/authentication/authenticators/bearer-authenticators.ts'
import { tokenWorld } from '../../support/token-world.ts'

const rows: [title: string, authorization: string | undefined, bearer: string | null][] = [
  ['BEA-01: the scheme in lower case', 'bearer abc', 'abc'],
  ['the scheme in any case', 'bEaReR abc', 'abc'],
  ['BEA-02: two blanks', 'Bearer  abc', null],
  ['BEA-02: a tab', 'Bearer\tabc', null],
  ['a blank behind', 'Bearer abc ', null],
  ['two tokens', 'Bearer abc def', null],
  ['BEA-05: a list of two', 'Basic x, Bearer y', null],
  ['a list of tokens', 'Bearer x,y', null],
  ['no token', 'Bearer', null],
  ['an empty token', 'Bearer ', null],
  ['another scheme', 'Token abc', null],
  ['a scheme that begins alike', 'BearerX abc', null],
  ['bytes beyond ASCII', 'Bearer ab\u00e9', null],
  ['nothing', '', null],
  ['no header', undefined, null]
]

t.test('the header', async (t) => {
  const bearerOf = credentialReader(['Bearer'])
  for (const [title, authorization, bearer] of rows) {
    t.equal(bearerOf(authorization === undefined ? {} : { authorization }), bearer, title)
  }
})

t.test('schemes of the application', async (t) => {
  const read = credentialReader(['Bearer', 'Token'])
  for (const authorization of ['Bearer abc', 'Token abc', 'tOKEN abc']) t.equal(read({ authorization }), 'abc')
  for (const authorization of ['Tok abc', 'Token  abc', 'BearerToken abc', 'Bearer|Token abc', 'abc']) {
    t.equal(read({ authorization }), null, authorization)
  }
  const { tokens } = tokenWorld()
  const jwt = new JwtAuthenticator(tokens, ['Token', 'Bearer'])
  t.equal(jwt.challenge(), 'Token')
  const supports = (authorization: string) => jwt.supports({ headers: { authorization } } as AuthenticationContext)
  t.strictSame([supports('Token a.b.c'), supports('bearer a.b.c'), supports('Basic a.b.c')], [true, true, false])
})

t.test('JWT-51, KEY-06, KEY-07: each claims its own shape', async (t) => {
  const { tokens } = tokenWorld()
  const [jwt, apikey] = [new JwtAuthenticator(tokens), new ApiKeyAuthenticator(tokens)]
  const rows: [bearer: string, jwt: boolean, apikey: boolean][] = [
    ['a.b.c', true, false],
    ['svc_a.b.c', true, false],
    ['svc_abc', false, true],
    ['SVC_abc', false, false],
    ['rt_abc', false, false],
    ['a.b', false, false],
    ['a.b.c.d', false, false],
    ['a.b.c.d.e', false, false],
    ['a..c', false, false],
    ['..', false, false],
    ['a.b.', false, false],
    ['a.b.c=', false, false],
    ['a+.b.c', false, false]
  ]
  for (const [bearer, byJwt, byKey] of rows) {
    const ctx = { headers: { authorization: `Bearer ${bearer}` } } as AuthenticationContext
    t.same([jwt.supports(ctx), apikey.supports(ctx)], [byJwt, byKey], bearer)
  }
  t.same([jwt.challenge(), apikey.challenge()], ['Bearer', 'Bearer'])
})

t.test('a credential is that of the request it is taken from, whichever was claimed before', async (t) => {
  const { tokens } = tokenWorld()
  const contextOf = (key: string) => ({ headers: { authorization: `Bearer ${key}` } }) as AuthenticationContext
  const [one, other] = [contextOf('svc_one'), contextOf('svc_other')]
  const apikey = new ApiKeyAuthenticator(tokens)
  t.equal(apikey.createToken(one), 'svc_one', 'none was claimed')
  apikey.supports(one)
  t.equal(apikey.createToken(other), 'svc_other', 'another was claimed')
  apikey.supports(one)
  apikey.supports(other)
  t.equal(apikey.createToken(one), 'svc_one', 'another was claimed later')
  t.equal(apikey.createToken({ headers: {} } as AuthenticationContext), '', 'there is none')
})
