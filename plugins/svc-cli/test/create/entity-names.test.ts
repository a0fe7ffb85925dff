/** What an entity and its parts are called. */
import t from 'tap'
import { cleanEntityName, entityNames, isEntityName, isEntityRoute } from '../../src/create/entity-names.ts'

const rows: ReadonlyArray<readonly [entity: string, route: string | undefined, names: object]> = [
  [
    'Article',
    '/api/articles',
    {
      file: 'article',
      route: '/api/articles',
      plural: 'articles',
      variable: 'articles',
      controller: 'ArticlesController'
    }
  ],
  ['Article', undefined, { route: '/api/articles' }],
  [
    'BlogPost',
    undefined,
    { file: 'blog-post', route: '/api/blog-posts', variable: 'blogPosts', controller: 'BlogPostsController' }
  ],
  ['HTTPServer', undefined, { file: 'http-server', route: '/api/http-servers' }],
  ['Category', undefined, { route: '/api/categories' }],
  ['Day', undefined, { route: '/api/days' }],
  ['Box', undefined, { route: '/api/boxes' }],
  ['Article', 'news/', { route: '/news', plural: 'news', controller: 'NewsController' }],
  ['Article', '/v1/blog_posts', { route: '/v1/blog_posts', plural: 'blog-posts', variable: 'blogPosts' }]
]

for (const [entity, route, names] of rows) {
  t.test(`${entity} ${route ?? ''}`, async (t) => t.match(entityNames(entity, route), { entity, ...names }))
}

t.test('names that can be, and the nearest to one that cannot', async (t) => {
  for (const name of ['Article', 'A', 'Order2']) t.ok(isEntityName(name), name)
  for (const [name, clean] of [
    ['article', 'Article'],
    ['blog-post', 'BlogPost'],
    ['Blog Post!', 'BlogPost'],
    ['2nd', 'Nd'],
    ['../etc', 'Etc'],
    ['ä', 'Article'],
    ['', 'Article']
  ] as const) {
    t.notOk(isEntityName(name), name)
    t.equal(cleanEntityName(name), clean)
    t.ok(isEntityName(clean))
  }
})

t.test('routes that can be', async (t) => {
  for (const route of ['/api/articles', 'articles', '/a/b/c/', '/v1.0/blog_posts']) t.ok(isEntityRoute(route), route)
  for (const route of ['', '/', '/api/:id', '/api/*', "/a'b", '/api/a b', '/api/..', '/api/2', '/api//x']) {
    t.notOk(isEntityRoute(route), route)
  }
})
