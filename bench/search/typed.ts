/** What is typed letter by letter into the search: words in any order, their beginnings, mistakes, platforms and regions. */
export const TYPED = ['witcer steam eu', 'the wticher 3', 'simualtor xbox', 'legends of the war', 'dark simulator deluxe steam', 'kingdom empire gog']
