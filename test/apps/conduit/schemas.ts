/** Bodies and answers of the routes. An answer has what its schema names, so that no hash leaves with a row. */
const text = { type: 'string', minLength: 1 } as const
const nullable = { type: ['string', 'null'] } as const
const email = { type: 'string', pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 254 } as const
const username = { type: 'string', minLength: 1, maxLength: 64 } as const
const password = { type: 'string', minLength: 1, maxLength: 1024 } as const
const tagList = { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 64 } } as const
const integer = { type: 'integer' } as const
const boolean = { type: 'boolean' } as const
const moment = { type: 'string', format: 'date-time' } as const

const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', required, properties })

/** What an answer always has. */
const whole = (properties: object) => object(properties, Object.keys(properties))

const profile = whole({ username: text, bio: nullable, image: nullable, following: boolean })

const listed = {
  slug: text,
  title: text,
  description: text,
  tagList: { type: 'array', items: text },
  createdAt: moment,
  updatedAt: moment,
  favorited: boolean,
  favoritesCount: integer,
  author: profile
}

const comment = whole({ id: integer, createdAt: moment, updatedAt: moment, body: text, author: profile })

const answering = (key: string, schema: object, status = 200) => ({ response: { [status]: whole({ [key]: schema }) } })

const user = whole({ email: text, token: text, username: text, bio: nullable, image: nullable })
const article = whole({ ...listed, body: text })

export const answers = {
  user: answering('user', user),
  newUser: answering('user', user, 201),
  profile: answering('profile', profile),
  article: answering('article', article),
  newArticle: answering('article', article, 201),
  articles: {
    response: { 200: whole({ articles: { type: 'array', items: whole(listed) }, articlesCount: integer }) }
  },
  newComment: answering('comment', comment, 201),
  comments: answering('comments', { type: 'array', items: comment }),
  tags: answering('tags', { type: 'array', items: text })
} as const

const asking = (key: string, schema: object) => ({ body: object({ [key]: schema }, [key]) })

export const bodies = {
  login: asking('user', object({ email: text, password: text }, ['email', 'password'])),
  register: asking('user', object({ email, username, password }, ['email', 'username', 'password'])),
  changeUser: asking('user', {
    ...object({ email, username, password, bio: nullable, image: nullable }),
    minProperties: 1
  }),
  newArticle: asking(
    'article',
    object({ title: text, description: text, body: text, tagList }, ['title', 'description', 'body'])
  ),
  changeArticle: asking('article', object({ title: text, description: text, body: text, tagList })),
  newComment: asking('comment', object({ body: text }, ['body']))
} as const

const paging = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  offset: { type: 'integer', minimum: 0, default: 0 }
} as const

export const queries = {
  page: { querystring: object(paging) },
  articles: { querystring: object({ ...paging, tag: text, author: text, favorited: text }) }
} as const
