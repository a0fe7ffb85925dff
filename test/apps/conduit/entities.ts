/** What is kept: accounts, articles and their tags, comments, and who follows whom and likes what. */
import { defineEntity } from 'svc-orm'

export const Account = defineEntity({
  name: 'Account',
  schema: {
    email: { type: 'string', unique: true, maxLength: 254 },
    username: { type: 'string', unique: true, maxLength: 64 },
    passwordHash: { type: 'string' },
    bio: { type: 'text', nullable: true },
    image: { type: 'string', nullable: true }
  }
})

export const Article = defineEntity({
  name: 'Article',
  schema: {
    slug: { type: 'string', unique: true },
    title: { type: 'string' },
    description: { type: 'string' },
    body: { type: 'text' },
    tagList: { type: 'string', array: true }
  },
  relations: { author: { type: 'many-to-one', target: 'Account' } },
  indexes: [{ fields: ['createdAt'] }],
  timestamps: true
})

/** Every tag that an article had. */
export const Tag = defineEntity({ name: 'Tag', schema: { name: { type: 'string', unique: true } } })

/** Its public id is a number, which rows of an entity do not have by themselves. */
export const Comment = defineEntity({
  name: 'Comment',
  schema: { number: { type: 'integer', unique: true }, body: { type: 'text' } },
  relations: {
    article: { type: 'many-to-one', target: 'Article', onDelete: 'cascade' },
    author: { type: 'many-to-one', target: 'Account' }
  },
  timestamps: true
})

/** The last number given out, by what is numbered. */
export const Sequence = defineEntity({
  name: 'Sequence',
  schema: { name: { type: 'string', unique: true }, last: { type: 'integer', default: 0 } }
})

/** One row for a pair: two requests at once make one. */
export const Favorite = defineEntity({
  name: 'Favorite',
  schema: {},
  relations: {
    article: { type: 'many-to-one', target: 'Article', onDelete: 'cascade' },
    account: { type: 'many-to-one', target: 'Account' }
  },
  indexes: [{ fields: ['articleId', 'accountId'], unique: true }]
})

export const Follow = defineEntity({
  name: 'Follow',
  schema: {},
  relations: {
    follower: { type: 'many-to-one', target: 'Account' },
    followed: { type: 'many-to-one', target: 'Account' }
  },
  indexes: [{ fields: ['followerId', 'followedId'], unique: true }]
})

declare module 'svc-orm' {
  interface EntityTypes {
    Account: typeof Account
    Article: typeof Article
  }
}
