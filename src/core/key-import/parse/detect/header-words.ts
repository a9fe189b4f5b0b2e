/** A pattern for any of the words, in any case, with no letter or digit right before or after. */
const words = (...patterns: string[]): string =>
  `(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})(?![\\p{L}\\p{N}])`
/** Chinese and Japanese put no spaces between words, so their words match anywhere. */
const any = (...patterns: string[]): RegExp => new RegExp(patterns.join('|'), 'iu')

/** Names of columns with keys. */
const keyWords = any(
  words(
    'keys?|codes?|serials?|serial ?(?:numbers?|no)|cd ?keys?|licen[cs]es?|product ?keys?|activation',
    'vouchers?|pins?|value|login|accounts?|links?|gift ?cards?',
    'serien ?nummern?|(?:lizenz|aktivierungs|freischalt|gutschein|produkt)[ -]?(?:keys?|codes?)',
    'cl(?:é|e)s?|num(?:é|e)ros? de s(?:é|e)rie|c(?:ó|o)digos?|claves?|llaves?|licencias?',
    'chiav[ei]|codic[ei]|licenz[ae]|seriali?|chaves?|licen(?:ç|c)as?|seriais',
    'klucze?|kody?|licencj[ae]|sleutels?|licenties?|kortingscodes?',
    'ключи?|коды?|лицензи[яи]|ваучеры?|anahtar(?:ı|lar)?|kod(?:u|lar)?|lisans(?:lar)?',
    'nyck(?:el|lar)|nøgle[rn]?|nøkk(?:el|ler)|avain|avaimet|kl(?:í|i)č(?:e)?|kulcs(?:ok)?|chei[ae]?',
  ),
  // Compounds such as "Produktschlüssel", "produktnyckel" and "licentiesleutel".
  'schl(?:ü|ue|u)ssel(?![\\p{L}\\p{N}])|sleutels?(?![\\p{L}\\p{N}])|nyckel(?![\\p{L}\\p{N}])',
  '密钥|密鑰|激活码|序列号|序號|卡密|兑换码|キー|コード|シリアル|시리얼',
  '코드|제품 ?키|مفتاح|קוד',
)
/** Names of columns that name an offer or a product. */
const offerWords = any(
  words(
    'offers?|offer ?id|skus?|products?|product ?id|games?|titles?|names?|items?|articles?',
    'artikel(?:n(?:umme)?r)?|produkte?|spiele?|titel|angebote?|bezeichnung|ware',
    'produits?|jeux?|titres?|r(?:é|e)f(?:é|e)rences?|noms?|offres?|productos?|juegos?|t(?:í|i)tulos?',
    'nombres?|art(?:í|i)culos?|ofertas?|prodott[oi]|gioc(?:o|hi)|titol[oi]|nom[ei]|articol[oi]',
    'produtos?|jogos?|nomes?|artigos?|produkt(?:y|u)?|gr(?:a|y)|nazwa|tytu(?:ł|l)|towar|oferta',
    'spel(?:len)?|producten|naam|товары?|продукты?|игр[аы]|назван(?:ие|ия)|артикул|наименование',
    '(?:ü|u)r(?:ü|u)n(?:ler)?|oyun(?:lar)?|(?:isim|ad(?:ı)?)|hra|hry|j(?:á|a)t(?:é|e)k(?:ok)?|joc',
  ),
  '产品|產品|商品|游戏|遊戲|名称|名稱|ゲーム|タイトル|製品|제품명|게임|상품',
)
/** Names of columns that hold neither: prices, regions, quantities, dates, orders and notes. */
const otherWords = any(
  words(
    'prices?|costs?|amounts?|totals?|currency|regions?|countr(?:y|ies)|territor(?:y|ies)|platforms?',
    'quantit(?:y|ies)|qty|pcs|counts?|stock|dates?|orders?|order ?(?:id|no|number)|invoices?|batch(?:es)?',
    'comments?|notes?|remarks?|status|suppliers?|vendors?|no|nr|#',
    'preise?|kosten|betrag|w(?:ä|ae)hrung|regionen|l(?:a|ä)nd(?:er)?|menge|anzahl|st(?:ü|ue)ck|datum',
    'bestell(?:ung(?:en)?|nummer|nr)|rechnung|bemerkung(?:en)?|kommentare?|lieferant|plattform',
    'prix|co(?:û|u)ts?|montants?|devise|r(?:é|e)gions?|pays|quantit(?:é|e)s?|commandes?|fournisseur',
    'remarques?|commentaires?|plateforme|precios?|costes?|importe|divisa|regi(?:ó|o)n(?:es)?|pa(?:í|i)s(?:es)?',
    'cantidad(?:es)?|fechas?|pedidos?|notas?|comentarios?|proveedor|prezz[oi]|cost[oi]|region[ei]|paes[ei]',
    'quantit(?:à|a)|dat[ae]|ordin[ei]|fornitore|piattaforma|pre(?:ç|c)os?|regi(?:ã|a)o|regi(?:õ|o)es',
    'quantidades?|encomendas?|fornecedor|plataforma|cen[ay]|koszt|kraj|ilo(?:ś|s)(?:ć|c)|zam(?:ó|o)wienie',
    'uwagi|dostawca|waluta|prijs(?:ki)?|regio|aantal|bestelling|opmerking(?:en)?|leverancier|valuta',
    'цен[аы]|стоимость|регионы?|стран[аы]|количество|кол во|дата|заказ|примечание|комментарий|платформа',
    'fiyat(?:ı|lar)?|b(?:ö|o)lge|(?:ü|u)lke|adet|miktar|tarih|sipari(?:ş|s)|not(?:lar)?|a(?:ç|c)(?:ı|i)klama',
  ),
  '价格|價格|地区|地區|数量|數量|日期|备注|平台|価格|地域|日付|備考|가격|지역|수량',
)

/** Names of columns with the purchase price of a key. A bare "price" may be the selling price. */
const costWords = any(
  words(
    'costs?(?: ?prices?| per (?:key|unit))?|unit costs?|(?:purchase|buy(?:ing)?|net) ?(?:prices?|costs?)|cogs',
    'ek|ek ?(?:preis|netto)|einkauf(?:s ?preis)?|einstand(?:s ?preis)?|kosten',
    '(?:prix|coût|cout) d.achat|prix de revient|co(?:û|u)ts?|precio de compra|costes?|costos?',
    'prezzo d.acquisto|prezzo di acquisto|costi?|pre(?:ç|c)o de (?:compra|custo)|custos?',
    'cena zakupu|koszty?|inkoop(?:s ?prijs|prijs)?|закупочная цена|цена закупки|себестоимость',
    'al(?:ı|i)(?:ş|s) fiyat(?:ı|i)|maliyet(?:i)?',
  ),
  '成本|进价|進價|采购价|採購價|仕入(?:価格|値|れ値)|原価',
)
const currencyWords = any(
  words('currency|w(?:ä|ae)hrung|devises?|divisas?|moneda|moeda|valuta|waluta|валюта|para birimi'),
  '货币|貨幣|币种|通貨',
)
const supplierWords = any(
  words(
    'suppliers?|vendors?|distributors?|lieferant(?:en)?|h(?:ä|ae)ndler|fournisseurs?|proveedor(?:es)?',
    'fornitor[ei]|fornecedor(?:es)?|dostawc[ay]|leveranciers?|поставщики?|tedarik(?:ç|c)i',
  ),
  '供应商|供應商|仕入先|サプライヤー',
)

/** The words of a column's name: "productKey", "product_key" and "Product-Key" are "product key". */
const spoken = (name: string): string =>
  name
    .normalize('NFC')
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_\-.:*()[\]/]+/g, ' ')
    .trim()

/** What a column's name says it contains. "Product code" can be either of two. */
export type ColumnMeaning = { key: boolean; offer: boolean; other: boolean }

/** What a column says about the purchase of a key; null for any other column. */
export function purchaseMeaningOf(name: string): 'cost' | 'currency' | 'supplier' | null {
  const text = spoken(name)
  if (currencyWords.test(text)) return 'currency'
  if (supplierWords.test(text)) return 'supplier'
  return costWords.test(text) ? 'cost' : null
}

/** The meaning of a column's name, in the languages of the lists. */
export function meaningOf(name: string): ColumnMeaning {
  const text = spoken(name)
  return { key: keyWords.test(text), offer: offerWords.test(text), other: otherWords.test(text) }
}
