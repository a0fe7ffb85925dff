/** The answer to callers who are known. */
export default class MembersController {
  hello({ auth }) {
    return { hello: 'world', who: auth.getUserOrFail().identifier }
  }
}
