/** Rows as the API shows them, each as one caller sees it: whom they follow, what they like. */
import type { User } from 'svc-kernel'
import type { OrmPort, RowOf } from 'svc-orm'
import { Foreign, Missing } from './conventions.ts'
import { Account, Article, type Comment, Favorite, Follow } from './entities.ts'

export type AccountRow = RowOf<typeof Account>
export type ArticleRow = RowOf<typeof Article>
export type CommentRow = RowOf<typeof Comment>

const LATEST = { order: [['createdAt', 'DESC']], relations: ['author'] } as const

export class Views {
  readonly #orm: OrmPort

  constructor(orm: OrmPort) {
    this.#orm = orm
  }

  /** The account of a caller, as the firewall has read it; `null` for a stranger. */
  async caller({ identifier }: User): Promise<AccountRow | null> {
    return this.#orm.repository(Account).findOne({ email: identifier }, { cache: 'request' })
  }

  /** Behind a guard; the account may be gone since it let the caller in. */
  async member(user: User): Promise<AccountRow> {
    return this.#found(await this.caller(user), 'user')
  }

  async accountNamed(username: string): Promise<AccountRow> {
    return this.#found(await this.#orm.repository(Account).findOne({ username }), 'profile')
  }

  async articleOf(slug: string): Promise<ArticleRow> {
    return this.#found(await this.#orm.repository(Article).findOne({ slug }, { relations: ['author'] }), 'article')
  }

  async ownArticle(slug: string, member: AccountRow): Promise<ArticleRow> {
    const article = this.#found(await this.#orm.repository(Article).findOne({ slug }), 'article')
    if (article.authorId !== member.id) throw new Foreign('article')
    return article
  }

  async profile({ id, username, bio, image }: AccountRow, caller: AccountRow | null) {
    const follows = this.#orm.repository(Follow)
    const following = caller !== null && (await follows.exists({ followerId: caller.id, followedId: id }))
    return { username, bio, image, following }
  }

  async article(article: ArticleRow, caller: AccountRow | null) {
    const favorites = this.#orm.repository(Favorite)
    const [author, favoritesCount, favorited] = await Promise.all([
      this.profile(this.#found(article.author as AccountRow | null, 'author'), caller),
      favorites.count({ articleId: article.id }),
      caller === null ? false : favorites.exists({ articleId: article.id, accountId: caller.id })
    ])
    return { ...article, author, favorited, favoritesCount }
  }

  /** A page of articles, the latest first. */
  async articles(
    criteria: Readonly<Record<string, unknown>>,
    { limit, offset }: { readonly limit: number; readonly offset: number },
    caller: AccountRow | null
  ) {
    const repository = this.#orm.repository<ArticleRow>('Article')
    const [rows, articlesCount] = await Promise.all([
      repository.find(criteria, { ...LATEST, limit, offset }),
      repository.count(criteria)
    ])
    return { articles: await Promise.all(rows.map((row) => this.article(row, caller))), articlesCount }
  }

  async comment({ number, author, ...comment }: CommentRow, caller: AccountRow | null) {
    const row = this.#found(author as AccountRow | null, 'author')
    return { ...comment, id: number, author: await this.profile(row, caller) }
  }

  #found<Row>(row: Row | null, what: string): Row {
    if (row === null) throw new Missing(what)
    return row
  }
}
