/** Each operation of each brick, called once with arguments that any store takes. The compiler finds one that is missing. */
import type { Brick, StoreOf } from '../contracts/bricks.ts'
import { anEvent, aPasskey, aSession, aToken, aWebhook } from './sample-records.ts'

export type Operations<Store> = { readonly [Name in keyof Store]: (store: Store) => Promise<unknown> }

export const everyOperation: { readonly [Name in Brick]: Operations<StoreOf[Name]> } = {
  session: {
    create: (store) => store.create(aSession()),
    find: (store) => store.find('s1'),
    update: (store) => store.update('s1', { user: 'bob' }),
    touch: (store) => store.touch('s1'),
    destroy: (store) => store.destroy('s1'),
    destroyByUser: (store) => store.destroyByUser('alice'),
    list: (store) => store.list({}, {}),
    count: (store) => store.count({}),
    purge: (store) => store.purge({ idleTimeoutS: 1, absoluteTimeoutS: 1 })
  },
  user: {
    create: (store) => store.create({ identifier: 'alice' }),
    find: (store) => store.find('000000000000000000000000'),
    findByIdentifier: (store) => store.findByIdentifier('alice'),
    findBySocialAccount: (store) => store.findBySocialAccount('idp', 'alice'),
    update: (store) => store.update('000000000000000000000000', { locked: true }),
    replacePassword: (store) => store.replacePassword('000000000000000000000000', null, 'hash'),
    linkSocialAccount: (store) => store.linkSocialAccount('000000000000000000000000', 'idp', 'alice'),
    unlinkSocialAccount: (store) => store.unlinkSocialAccount('000000000000000000000000', 'idp', 'alice'),
    delete: (store) => store.delete('000000000000000000000000'),
    list: (store) => store.list({}, {}),
    count: (store) => store.count({}),
    countAdministrators: (store) => store.countAdministrators(['ROLE_SVC_ADMIN'])
  },
  tokens: {
    create: (store) => store.create(aToken()),
    find: (store) => store.find('t1'),
    findByHash: (store) => store.findByHash('hash of t1'),
    rotate: (store) => store.rotate('t1', aToken({ id: 't2' })),
    revoke: (store) => store.revoke('t1', 'logout'),
    revokeFamily: (store) => store.revokeFamily('f1', 'logout'),
    revokeBySubject: (store) => store.revokeBySubject('alice', 'logout'),
    markUsed: (store) => store.markUsed('t1', 0),
    list: (store) => store.list({}, {}),
    count: (store) => store.count({}),
    deny: (store) => store.deny('t1', Date.UTC(2030, 0, 1)),
    isDenied: (store) => store.isDenied('t1'),
    invalidateBefore: (store) => store.invalidateBefore('alice', 1),
    invalidBefore: (store) => store.invalidBefore('alice'),
    purge: (store) => store.purge(1)
  },
  passkeys: {
    save: (store) => store.save(aPasskey()),
    find: (store) => store.find('credential-1'),
    advance: (store) => store.advance('credential-1', 1, false),
    rename: (store) => store.rename('credential-1', 'alice', 'phone'),
    remove: (store) => store.remove('credential-1', 'alice'),
    removeByUser: (store) => store.removeByUser('alice'),
    list: (store) => store.list({}, {}),
    count: (store) => store.count({})
  },
  totp: {
    enroll: (store) => store.enroll('alice', 'gcm1.a'),
    find: (store) => store.find('alice'),
    confirm: (store) => store.confirm('alice', 'gcm1.a', 1, ['h']),
    useStep: (store) => store.useStep('alice', 2),
    useRecoveryCode: (store) => store.useRecoveryCode('alice', 'h'),
    replaceRecoveryCodes: (store) => store.replaceRecoveryCodes('alice', ['h']),
    remove: (store) => store.remove('alice')
  },
  webhooks: {
    create: (store) => store.create(aWebhook()),
    find: (store) => store.find('wh_1'),
    update: (store) => store.update('wh_1', { enabled: false }),
    delete: (store) => store.delete('wh_1'),
    enabled: (store) => store.enabled(),
    recordSuccess: (store) => store.recordSuccess('wh_1', 200),
    recordFailure: (store) => store.recordFailure('wh_1', 500, 'failed'),
    disable: (store) => store.disable('wh_1', 1),
    list: (store) => store.list({}, {}),
    count: (store) => store.count({}),
    stats: (store) => store.stats({})
  },
  audit: {
    append: (store) => store.append([anEvent()]),
    list: (store) => store.list({}, { limit: 1 }),
    purge: (store) => store.purge(1)
  },
  idempotency: {
    begin: (store) => store.begin('k', 'f', 1000),
    complete: (store) => store.complete('k', 'owner', { status: 200, headers: {}, body: '' }),
    abandon: (store) => store.abandon('k', 'owner'),
    purge: (store) => store.purge()
  }
}
