/** Who may make keys, and with which scopes. */
import { ANONYMOUS, ANONYMOUS_TOKEN } from 'svc-kernel'
import t from 'tap'
import { callerOf, checkMaker } from '../../src/api-keys/key-maker.ts'
import { aToken } from '../support/tokens.ts'

t.test('no machine passes on more than it holds', async (t) => {
  const rows: [type: string, held: string[], wanted: string[], allowed: boolean][] = [
    ['session', [], ['orders:read', 'orders:write'], true],
    ['userpassword', [], ['orders:read'], true],
    ['jwt', ['orders:read'], ['orders:read'], true],
    ['jwt', ['orders:read'], [], true],
    ['jwt', ['orders:read'], ['orders:read', 'orders:write'], false],
    ['jwt', [], ['orders:read'], false],
    ['oauth2', [], ['orders:read'], false],
    ['robot-of-tomorrow', ['a:b'], ['a:c'], false],
    ['apikey', ['orders:read'], ['orders:read'], false],
    ['apikey', [], [], false]
  ]
  for (const [type, scopes, wanted, allowed] of rows) {
    const check = () => checkMaker(aToken({ type, scopes }), wanted)
    const title = `${type} with [${scopes}] wants [${wanted}]`
    if (allowed) t.doesNotThrow(check, title)
    else t.throws(check, { code: 'SVC_SEC_BEYOND', statusCode: 403 }, title)
  }
})

t.test('who proved nothing is nobody', async (t) => {
  const token = aToken()
  t.strictSame(callerOf({ user: token.user, token }).user, token.user)
  for (const caller of [
    { user: null, token: null },
    { user: token.user, token: null },
    { user: null, token },
    { user: ANONYMOUS, token: ANONYMOUS_TOKEN }
  ]) {
    t.throws(() => callerOf(caller), { code: 'SVC_SEC_UNAUTHENTICATED' })
  }
})
