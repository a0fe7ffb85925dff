/**
 * Every operation of the description, on every database: each answer has a status that the operation lists, and a body
 * that fits its schema.
 */
import type { InputOf } from 'svc-client'
import t, { type Test } from 'tap'
import { onEveryDatabase } from '../../support/entity-databases.ts'
import { conduitApp, entities } from './conduit-app.ts'
import { type CallRoute, DescribedApi, type Route } from './description.ts'
import type { Routes } from './routes.d.ts'

const DESCRIPTION = new URL('../../../../test/vectors/conduit-api.json', import.meta.url)

const person = (username: string) => ({ email: `${username}@x.example`, username, password: `secret of ${username}` })
const draft = (title: string, tagList: string[] = []) => ({ article: { title, description: 'd', body: 'b', tagList } })

t.setTimeout(240_000)

await onEveryDatabase(t, entities, async (t, database) => {
  const app = await conduitApp(database)
  t.teardown(() => app.close())
  const api = new DescribedApi(DESCRIPTION, await app.listen({ host: '127.0.0.1', port: 0 }))
  const { call } = api
  const tokens = await people(t, call)
  await profiles(t, call, tokens)
  await articles(t, call, tokens)
  await comments(t, call, tokens)
  await favorites(t, call, tokens)
  await lists(t, call, tokens)
  await removal(t, call, tokens)
  await refusals(t, api)
  // A path that is not found, or a listing without a query, has nothing that could be invalid.
  const rare = api.unseen(({ operation }, status) => status === '422' && operation.requestBody === undefined)
  t.strictSame(rare, [], 'every answer of the description was seen')
})

interface Tokens {
  readonly ada: string
  readonly bob: string
}

async function people(t: Test, call: CallRoute): Promise<Tokens> {
  const { user: ada } = await call(t, 'POST /api/users', 201, { body: { user: person('ada') } })
  t.match(ada, { username: 'ada', email: 'ada@x.example', bio: null, image: null })
  t.strictSame(
    await call(t, 'POST /api/users', 409, { body: { user: { ...person('ada'), email: 'other@x.example' } } }),
    {
      errors: { username: ['has already been taken'] }
    }
  )
  t.match(await call(t, 'POST /api/users', 422, { body: { user: { ...person('x'), email: 'no address' } } }), {
    errors: { email: [/pattern/] }
  })
  await call(t, 'POST /api/users', 201, { body: { user: person('bob') } })
  const { user: bob } = await call(t, 'POST /api/users/login', 200, { body: { user: person('bob') } })
  t.strictSame(
    await call(t, 'POST /api/users/login', 401, { body: { user: { ...person('bob'), password: 'guess' } } }),
    {
      errors: { credentials: ['invalid'] }
    }
  )
  t.strictSame(await call(t, 'POST /api/users/login', 401, { body: { user: person('nobody') } }), {
    errors: { credentials: ['invalid'] }
  })
  t.match(await call(t, 'POST /api/users/login', 422, { body: { user: { email: 'bob@x.example' } } }), {
    errors: { password: [/required/] }
  })

  t.strictSame(await call(t, 'GET /api/user', 200, { token: ada.token }), { user: ada })
  t.match(await call(t, 'GET /api/user', 401), { errors: { token: ['is missing'] } })
  const changed = await call(t, 'PUT /api/user', 200, {
    token: ada.token,
    body: { user: { bio: 'counts', email: 'ada@y.example', password: 'another secret' } }
  })
  t.match(changed.user, { username: 'ada', email: 'ada@y.example', bio: 'counts' })
  await call(t, 'GET /api/user', 401, { token: ada.token })
  await call(t, 'PUT /api/user', 422, { token: bob.token, body: { user: { username: 'ada' } } })
  await call(t, 'PUT /api/user', 422, { token: bob.token, body: { user: {} } })
  await call(t, 'POST /api/users/login', 401, { body: { user: { ...person('ada'), email: 'ada@y.example' } } })
  const again = { ...person('ada'), email: 'ada@y.example', password: 'another secret' }
  const { user } = await call(t, 'POST /api/users/login', 200, { body: { user: again } })
  t.equal(user.bio, 'counts')
  return { ada: changed.user.token, bob: bob.token }
}

async function profiles(t: Test, call: CallRoute, { ada }: Tokens): Promise<void> {
  const params = { username: 'bob' }
  const shown = (following: boolean) => ({ profile: { username: 'bob', bio: null, image: null, following } })
  t.strictSame(await call(t, 'GET /api/profiles/:username', 200, { params }), shown(false))
  for (let time = 0; time < 2; time += 1) {
    t.strictSame(await call(t, 'POST /api/profiles/:username/follow', 200, { params, token: ada }), shown(true))
  }
  t.strictSame(await call(t, 'GET /api/profiles/:username', 200, { params, token: ada }), shown(true))
  t.strictSame(await call(t, 'DELETE /api/profiles/:username/follow', 200, { params, token: ada }), shown(false))
  await call(t, 'POST /api/profiles/:username/follow', 200, { params, token: ada })
  for (const route of [
    'GET /api/profiles/:username',
    'POST /api/profiles/:username/follow',
    'DELETE /api/profiles/:username/follow'
  ] as const) {
    const missing = await call(t, route, 404, { params: { username: 'nobody' }, token: ada })
    t.strictSame(missing, { errors: { profile: ['not found'] } })
  }
}

async function articles(t: Test, call: CallRoute, { ada, bob }: Tokens): Promise<void> {
  const { article } = await call(t, 'POST /api/articles', 201, {
    token: bob,
    body: draft('How to Train?', ['dragons', 'training'])
  })
  t.match(article, { slug: 'how-to-train', tagList: ['dragons', 'training'], favorited: false, favoritesCount: 0 })
  t.strictSame(await call(t, 'POST /api/articles', 409, { token: ada, body: draft('how to train') }), {
    errors: { slug: ['has already been taken'] }
  })
  t.match(await call(t, 'POST /api/articles', 422, { token: bob, body: { article: { title: '' } } }), { errors: {} })
  await call(t, 'POST /api/articles', 201, { token: ada, body: draft('Other', ['dragons']) })

  const params = { slug: 'how-to-train' }
  t.match(await call(t, 'GET /api/articles/:slug', 200, { params }), {
    article: { author: { username: 'bob', following: false } }
  })
  t.match(await call(t, 'GET /api/articles/:slug', 200, { params, token: ada }), {
    article: { author: { following: true } }
  })
  await call(t, 'GET /api/articles/:slug', 404, { params: { slug: 'none' } })

  const body = { article: { body: 'with care' } }
  t.match(await call(t, 'PUT /api/articles/:slug', 200, { params, token: bob, body }), {
    article: { body: 'with care' }
  })
  const renamed = await call(t, 'PUT /api/articles/:slug', 200, {
    params,
    token: bob,
    body: { article: { title: 'On Dragons', tagList: [] } }
  })
  t.match(renamed.article, { slug: 'on-dragons', tagList: [] })
  await call(t, 'PUT /api/articles/:slug', 200, {
    params: { slug: 'on-dragons' },
    token: bob,
    body: { article: { tagList: ['dragons'] } }
  })
  t.strictSame(await call(t, 'PUT /api/articles/:slug', 403, { params: { slug: 'on-dragons' }, token: ada, body }), {
    errors: { article: ['forbidden'] }
  })
  await call(t, 'PUT /api/articles/:slug', 404, { params, token: bob, body })
  await call(t, 'PUT /api/articles/:slug', 422, {
    params: { slug: 'on-dragons' },
    token: bob,
    body: { article: { title: '' } }
  })
  await call(t, 'PUT /api/articles/:slug', 422, {
    params: { slug: 'on-dragons' },
    token: bob,
    body: { article: { title: 'Other' } }
  })
  t.strictSame(await call(t, 'GET /api/tags', 200), { tags: ['dragons', 'training'] })
}

async function comments(t: Test, call: CallRoute, { ada, bob }: Tokens): Promise<void> {
  const params = { slug: 'on-dragons' }
  const body = { comment: { body: 'indeed' } }
  const { comment } = await call(t, 'POST /api/articles/:slug/comments', 201, {
    params,
    token: ada,
    body
  })
  const second = await call(t, 'POST /api/articles/:slug/comments', 201, { params, token: bob, body })
  t.equal(second.comment.id, comment.id + 1)
  await call(t, 'POST /api/articles/:slug/comments', 404, { params: { slug: 'none' }, token: ada, body })
  await call(t, 'POST /api/articles/:slug/comments', 422, { params, token: ada, body: { comment: {} } })
  t.match(await call(t, 'GET /api/articles/:slug/comments', 200, { params, token: ada }), {
    comments: [
      { id: comment.id, author: { username: 'ada' } },
      { id: second.comment.id, author: { username: 'bob', following: true } }
    ]
  })
  await call(t, 'GET /api/articles/:slug/comments', 404, { params: { slug: 'none' } })
  const mine = { ...params, id: comment.id }
  await call(t, 'DELETE /api/articles/:slug/comments/:id', 403, { params: mine, token: bob })
  await call(t, 'DELETE /api/articles/:slug/comments/:id', 404, {
    params: { slug: 'other', id: comment.id },
    token: ada
  })
  await call(t, 'DELETE /api/articles/:slug/comments/:id', 204, { params: mine, token: ada })
  await call(t, 'DELETE /api/articles/:slug/comments/:id', 404, { params: mine, token: ada })
  t.equal((await call(t, 'GET /api/articles/:slug/comments', 200, { params })).comments.length, 1)
}

async function favorites(t: Test, call: CallRoute, { ada, bob }: Tokens): Promise<void> {
  const params = { slug: 'on-dragons' }
  const liked = { article: { favorited: true, favoritesCount: 1 } }
  // The same at once: one favorite, and each of them is answered with it.
  const atOnce = Array.from({ length: 10 }, () =>
    call(t, 'POST /api/articles/:slug/favorite', 200, { params, token: ada })
  )
  for (const answer of await Promise.all(atOnce)) t.match(answer, { article: { favorited: true } })
  t.match(await call(t, 'POST /api/articles/:slug/favorite', 200, { params, token: ada }), liked)
  t.match(await call(t, 'GET /api/articles/:slug', 200, { params }), {
    article: { favorited: false, favoritesCount: 1 }
  })
  await call(t, 'POST /api/articles/:slug/favorite', 200, { params, token: bob })
  t.match(await call(t, 'DELETE /api/articles/:slug/favorite', 200, { params, token: bob }), {
    article: { favorited: false, favoritesCount: 1 }
  })
  for (const route of ['POST /api/articles/:slug/favorite', 'DELETE /api/articles/:slug/favorite'] as const) {
    await call(t, route, 404, { params: { slug: 'none' }, token: ada })
  }
}

async function lists(t: Test, call: CallRoute, { ada, bob }: Tokens): Promise<void> {
  const slugs = async (query: InputOf<Routes['GET /api/articles']>['query'] = {}, token?: string) => {
    const { articles, articlesCount } = await call(t, 'GET /api/articles', 200, { query, token })
    t.ok(articlesCount >= articles.length)
    t.notOk(articles.some((article) => 'body' in article))
    return articles.map(({ slug }) => slug).sort()
  }
  t.strictSame(await slugs({}), ['on-dragons', 'other'])
  t.strictSame(await slugs({ tag: 'dragons' }, ada), ['on-dragons', 'other'])
  t.strictSame(await slugs({ tag: 'training' }), [])
  t.strictSame(await slugs({ author: 'bob' }), ['on-dragons'])
  t.strictSame(await slugs({ author: 'nobody' }), [])
  t.strictSame(await slugs({ favorited: 'ada' }), ['on-dragons'])
  t.strictSame(await slugs({ favorited: 'bob' }), [])
  t.equal((await slugs({ limit: 1 })).length, 1)
  t.strictSame(await slugs({ offset: 2 }), [])
  await call(t, 'GET /api/articles', 422, { query: { limit: '0' } })
  await call(t, 'GET /api/articles', 401, { token: 'no.such.token' })

  const feed = await call(t, 'GET /api/articles/feed', 200, { token: ada })
  t.match(feed, { articles: [{ slug: 'on-dragons', author: { following: true } }], articlesCount: 1 })
  t.match(await call(t, 'GET /api/articles/feed', 200, { token: bob }), { articles: [], articlesCount: 0 })
  await call(t, 'GET /api/articles/feed', 422, { token: ada, query: { offset: '-1' } })
}

async function removal(t: Test, call: CallRoute, { ada, bob }: Tokens): Promise<void> {
  const params = { slug: 'on-dragons' }
  await call(t, 'DELETE /api/articles/:slug', 403, { params, token: ada })
  await call(t, 'DELETE /api/articles/:slug', 204, { params, token: bob })
  await call(t, 'DELETE /api/articles/:slug', 404, { params, token: bob })
  t.match(await call(t, 'GET /api/articles', 200, { query: { favorited: 'ada' } }), { articlesCount: 0 })
}

/** Without a token, and with one that does not hold. */
async function refusals(t: Test, api: DescribedApi): Promise<void> {
  const params = { username: 'bob', slug: 'other', id: 1 }
  const body = { user: {}, article: {}, comment: {} }
  for (const [name, { operation }] of api.operations) {
    if (operation.responses['401'] === undefined || name === 'POST /api/users/login') continue
    const given = { params, ...(operation.requestBody === undefined ? {} : { body }) }
    await api.call(t, name as Route, 401, { ...given, token: 'no.such.token' })
    if (operation.security === undefined) continue
    t.strictSame(
      await api.call(t, name as Route, 401, given),
      { errors: { token: ['is missing'] } },
      `${name}: a stranger`
    )
  }
}
