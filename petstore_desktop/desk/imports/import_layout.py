"""What a column of a file may become: the fields of each kind of record, and the words by which they are known; and
how a file's columns become fields: by their names, else by what stands in them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from petstore_desktop.desk.imports.import_values import as_text, read_date, read_flag
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.table.exporting import left_to_choose
from petstore_desktop.desk.values.text import fold, header_word
from petstore_desktop.desk.values.typed_numbers import parse_id
from petstore_desktop.domain.records import ALL_SPECS, FieldKind, Resource, id_of_text
from petstore_desktop.domain.sheets import Sheet, SheetCell, SheetRow

ImportKind: TypeAlias = FieldKind | Literal["category", "pet", "booking"]


class ImportField(Struct, frozen=True):
    """One field. `kind`: how its cells are read; `words`: names of columns that mean it, as `header_word` makes
    them."""

    id: str
    kind: ImportKind
    words: frozenset[str]


# The first words are those of our own exports and of the columns on the screen; then English, German, French, Spanish,
# Italian, Portuguese, Dutch, Polish, Czech, Swedish, Turkish, Russian, Ukrainian, Greek, Chinese, Japanese, Korean and
# Arabic, as spreadsheets of shops call them.
_PET_NAME: Final = (
    "pet,pet name,animal,animal name,tier,tiername,haustier,artikel,article,item,item name,nom de l'animal,mascota,"
    "animale,nome animale,dier,zwierzę,zvíře,djur,hayvan,питомец,животное,тварина,ζώο,宠物,ペット,동물,حيوان,"
    "pet’s name,name des tiers,nombre de mascota,nome do pet,الحيوان,اسم الحيوان,ペットの名前"
)
_NAME: Final = (
    "names,title,bezeichnung,benennung,titel,nom,libellé,désignation,nombre,nome,denominazione,naam,nazwa,imię,název,"
    "jméno,namn,isim,ad,adı,имя,название,наименование,назва,ім'я,όνομα,名称,名字,名前,이름,الاسم"
)
_PET_IDS: Final = "id des tiers,id de l’animal,id de mascota,id do pet,معرف الحيوان,ペットid"
_CATEGORY_IDS: Final = "id der kategorie,id de la catégorie,id de categoría,id da categoria,معرف الفئة,カテゴリid"
_ORDER_IDS: Final = "id der bestellung,id de la commande,id de pedido,id do pedido,معرف الطلبية,الطلبية,注文id,注文"
_ID: Final = (
    "number,no,nr,num,#,code,key,nummer,kennung,schlüssel,artikelnummer,identifiant,numéro,código,codice,numero,"
    "número,numer,číslo,numara,номер,код,αριθμός,编号,番号,번호,رقم,المعرف"
)
_CATEGORY: Final = (
    "kind,group,type,species,category name,kategorie,gruppe,art,warengruppe,catégorie,espèce,genre,groupe,categoría,"
    "especie,grupo,categoria,specie,gruppo,soort,categorie,kategoria,gatunek,kategorie zvířat,druh,kategori,tür,"
    "категория,вид,категорія,κατηγορία,类别,分类,カテゴリ,種類,카테고리,الفئة"
)
_STATUS: Final = (
    "state,availability,zustand,verfügbarkeit,stand,statut,état,disponibilité,estado,disponibilidad,stato,"
    "disponibilità,situação,beschikbaarheid,stan,stav,durum,статус,состояние,стан,κατάσταση,状态,状態,ステータス,상태,"
    "الحالة"
)
_STOCK: Final = (
    "quantity,qty,in stock,stock,count,on hand,stock level,units,bestand,lagerbestand,menge,anzahl,stück,lager,stand,"
    "quantité,en stock,cantidad,existencias,unidades,quantità,giacenza,scorta,quantidade,estoque,aantal,voorraad,"
    "ilość,stan magazynowy,zapas,množství,skladem,antal,lagersaldo,miktar,adet,stok,количество,остаток,кількість,"
    "залишок,ποσότητα,απόθεμα,数量,库存,在庫,在庫数,수량,재고,الكمية,"
    "في المخزون,em estoque"
)
_BOOKING: Final = (
    "delta,change,adjustment,difference,booked,booking,received,plus minus,zugang,zu- und abgang,buchung,änderung,"
    "differenz,mouvement,entrée,écart,movimiento,ajuste,entrada,movimento,rettifica,variazione,mutatie,zmiana,změna,"
    "booked in or out,zu- oder abgang,entrée ou sortie,entradas o salidas,entrada ou saída,الكمية الداخلة أو الخارجة,"
    "入出庫数"
)
_DATE: Final = (
    "shipdate,ship date,shipping date,date,shipped,delivery date,due,due date,lieferdatum,versanddatum,datum,liefertag,"
    "date d'expédition,date de livraison,fecha,fecha de envío,data,data di spedizione,data de envio,verzenddatum,"
    "leverdatum,data wysyłki,datum odeslání,leveransdatum,tarih,дата,дата отправки,дата відправки,ημερομηνία,日期,"
    "发货日期,出荷日,発送日,日付,날짜,التاريخ,تاريخ الشحن,expédition"
)
_COMPLETE: Final = (
    "state,status,done,fulfilled,completed,finished,closed,shipped?,erledigt,abgeschlossen,fertig,vollständig,terminé,"
    "fini,achevé,completo,completado,terminado,completato,evaso,concluído,voltooid,klaar,gereed,zakończone,gotowe,"
    "dokončeno,hotovo,klart,tamamlandı,завершён,выполнен,виконано,ολοκληρώθηκε,完成,完了,완료,مكتمل,"
    "zustand,état,estado,situação,situación,الحالة,الوضع,状態"
)
_DESCRIPTION: Final = (
    "notes,comment,remark,text,beschreibung,bemerkung,notiz,kommentar,descriptif,commentaire,remarque,descripción,"
    "comentario,descrizione,nota,descrição,omschrijving,opmerking,opis,uwagi,popis,poznámka,beskrivning,açıklama,"
    "описание,комментарий,опис,περιγραφή,描述,说明,説明,설명,الوصف"
)


def _ids(words: str) -> str:
    """The names of the column that identifies a record, with what kind of record it is before or behind."""
    both = (f"{word} id,{word} no,{word} nr,{word} number,{word}nummer,id {word}" for word in words.split(","))
    return ",".join((*both, f"id,{_ID}"))


_WORDS: Final[Mapping[str, str]] = {
    "pets.id": f"{_PET_IDS},{_ids('pet,animal,tier,item,article,artikel')}",
    "pets.name": f"{_PET_NAME},{_NAME}",
    "categories.id": f"{_CATEGORY_IDS},{_ids('category,kategorie,group,gruppe,species')}",
    "categories.name": f"{_CATEGORY},{_NAME}",
    "orders.id": f"order,bestellung,auftrag,commande,pedido,ordine,{_ORDER_IDS},{_ids('order,auftrags,bestell')}",
    "orders.pet_id": f"{_PET_IDS},pet no,pet number,animal id,tier id,tiernummer,item id,item no,artikelnummer",
    "orders.pet": _PET_NAME,
    "inventory.pet_id": f"{_PET_IDS},{_ids('pet,animal,tier,item,article,artikel')}",
    "inventory.pet": f"{_PET_NAME},{_NAME}",
    "category_id": f"{_CATEGORY_IDS},category no,category number,kategorie id,kategorienummer,group id,species id",
    "category": _CATEGORY,
    "status": _STATUS,
    "stock": _STOCK,
    "quantity": _STOCK,
    "booking": _BOOKING,
    "description": _DESCRIPTION,
    "ship_date": _DATE,
    "complete": _COMPLETE,
}
"""By resource and field, or by field for all resources; a field's own name it always has beside them."""

_BESIDE: Final[Mapping[tuple[Resource, str], tuple[str, ImportKind]]] = {
    (Resource.PETS, "category_id"): ("category", "category"),
    (Resource.PETS, "status"): ("stock", FieldKind.NUMBER),
    (Resource.ORDERS, "pet_id"): ("pet", "pet"),
    (Resource.INVENTORY, "pet_id"): ("pet", "pet"),
    (Resource.INVENTORY, "quantity"): ("booking", "booking"),
}
"""What a file may have that is no field of a record, by the field that it is offered after."""


def _fields(resource: Resource) -> Iterator[ImportField]:
    for spec in ALL_SPECS[resource]:
        for name, kind in filter(None, ((spec.name, spec.kind), _BESIDE.get((resource, spec.name)))):
            words = _WORDS.get(f"{resource}.{name}") or _WORDS.get(name, "")
            yield ImportField(name, kind, frozenset(map(header_word, (name, *words.split(",")))))


FIELDS_OF: Final[Mapping[Resource, tuple[ImportField, ...]]] = {
    resource: tuple(_fields(resource)) for resource in Resource
}
"""In the order in which they are offered."""

KEY_OF: Final[Mapping[Resource, str]] = {resource: specs[0].name for resource, specs in ALL_SPECS.items()}
"""The field that says which record a row is about."""


def field_of(resource: Resource, name: str) -> ImportField | None:
    """A field by its id."""
    return next((one for one in FIELDS_OF[resource] if one.id == name), None)


def field_named(resource: Resource, header: str) -> str:
    """The field that a column of this name means; its own names win over those in other languages. Empty for none."""
    word, can_mean = header_word(header), fields_named(resource, header)
    return next((one for one in can_mean if header_word(one) == word), next(iter(can_mean), ""))


def fields_named(resource: Resource, header: str) -> list[str]:
    """All fields that a column of this name can mean: `Status` of orders is the service's, or whether they are done."""
    word = header_word(header)
    return [one.id for one in FIELDS_OF[resource] if word and word in one.words]


_HEADER_WITHIN: Final = 10
"""How many rows are searched for the header: titles may stand above it."""
_SAMPLE: Final = 200
_MOST_OF: Final = 0.8
"""This share of a column's cells must be what the field wants."""


class Layout(Struct, frozen=True):
    """What a file's rows are, where its header stands (place of the row; -1: nowhere), and for each column the field
    that it becomes, empty for none."""

    resource: Resource
    header: int
    fields: tuple[str, ...]

    def column(self, field: str) -> int:
        """The column that becomes this field; -1 for none."""
        return self.fields.index(field) if field in self.fields else -1


def guess_layout(sheet: Sheet, shop: ShopModel, preferred: Resource) -> Layout:
    """Guess the layout. `preferred`: the list that the person looks at."""
    header = find_header(sheet)
    names = header_names(sheet, header)
    resource = sheet.own or _resource_named(names, preferred)
    return Layout(resource, header, guess_fields(sheet, header, resource, shop))


def width(sheet: Sheet) -> int:
    """The number of columns."""
    return max(map(len, sheet.rows), default=0)


def header_names(sheet: Sheet, header: int) -> tuple[str, ...]:
    """The names of all columns as the file has them; empty where there is no header."""
    row: SheetRow = sheet.rows[header] if 0 <= header < len(sheet.rows) else ()
    names = [as_text(cell) for cell in row]
    return (*names, *[""] * (width(sheet) - len(names)))


def layout_digest(sheet: Sheet, header: int) -> str:
    """Name a layout of columns, under which its settings are stored; empty without a header."""
    if header < 0:
        return ""
    words = "\x1f".join(header_word(name) for name in header_names(sheet, header))
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:24]


def find_header(sheet: Sheet) -> int:
    """The place of the row with the columns' names: the one with the most names that are known, else the first if it
    differs from what stands below it; -1 where there is none."""
    places = [place for place, row in enumerate(sheet.rows[: 4 * _HEADER_WITHIN]) if any(map(as_text, row))]
    scores = [(max(_known(sheet.rows[place], one) for one in Resource), place) for place in places[:_HEADER_WITHIN]]
    best = max(scores, key=lambda pair: (pair[0], -pair[1]), default=(0, -1))
    if best[0] > 1 or (best[0] == 1 and best[1] == places[0]):
        return best[1]
    return places[0] if places and _differs(sheet, places[0]) else -1


def _known(row: SheetRow, resource: Resource) -> int:
    names = {field_named(resource, cell) for cell in row if isinstance(cell, str)}
    return len(names - {""})


def _differs(sheet: Sheet, place: int) -> bool:
    """Whether a row has words where numbers stand below it."""
    below = [row for row in sheet.rows[place + 1 : place + 1 + _SAMPLE] if row]
    if any(_numeric(cell) for cell in sheet.rows[place]):
        return False
    columns = range(len(sheet.rows[place]))
    return any(below and all(_numeric(row[at]) for row in below if at < len(row)) for at in columns)


def _numeric(cell: SheetCell) -> bool:
    return not isinstance(cell, str) or parse_id(cell) is not None


def _resource_named(names: Sequence[str], preferred: Resource) -> Resource:
    """The kind whose fields the names fit best."""

    def score(resource: Resource) -> tuple[int, bool]:
        found = {field_named(resource, name) for name in names} - {""}
        exact = sum(any(header_word(one) == header_word(name) for name in names) for one in found)
        return 2 * len(found) + exact + 3 * (KEY_OF[resource] in found), resource is preferred

    return max(Resource, key=score)


def guess_fields(sheet: Sheet, header: int, resource: Resource, shop: ShopModel) -> tuple[str, ...]:
    """The field of each column; each field is taken once, and names win over contents.

    What a file of ours has from the list beside its records is left to a person to choose: counts of stock are old by
    the time that the names beside them are edited.
    """
    names = header_names(sheet, header)
    left = left_to_choose(resource) if sheet.own is resource else set[str]()
    fields = [""] * len(names)
    taken: set[str] = set()
    for exact in (True, False):
        for at, name in enumerate(names):
            found = "" if name in left else _field_of_column(sheet, header, at, resource, shop)
            right = found and (not exact or header_word(found) == header_word(name))
            if not fields[at] and right and found not in taken:
                fields[at] = found
                taken.add(found)
    if not taken or KEY_OF[resource] not in taken:
        _by_content(sheet, header, resource, shop, fields, named=bool(taken))
    return tuple(fields)


def _field_of_column(sheet: Sheet, header: int, at: int, resource: Resource, shop: ShopModel) -> str:
    """The field that a column's name means; of two that it can mean, the one that its cells look like."""
    names, cells = header_names(sheet, header), sample(sheet, header, at)
    can_mean = fields_named(resource, names[at])
    if resource is not Resource.ORDERS or not {"complete", "status"} <= {*can_mean} or not cells:
        return field_named(resource, names[at])
    if "complete" in map(header_word, names):
        return "status"
    told = set(map(fold, shop.order_statuses()))
    flags = sum(read_flag(cell, shop.vocabulary) is not None and fold(as_text(cell)) not in told for cell in cells)
    return "complete" if flags >= _MOST_OF * len(cells) else "status"


def _by_content(
    sheet: Sheet, header: int, resource: Resource, shop: ShopModel, fields: list[str], *, named: bool
) -> None:
    """Give columns without a known name the field that nearly all their cells look like. If other columns have known
    names, only ids are guessed."""
    tests = _tests(resource, shop)
    fitting = {one.id for one in FIELDS_OF[resource]}
    wanted = [KEY_OF[resource]] if named else [name for name in tests if name in fitting]
    for field in wanted:
        if field in fields:
            continue
        for at, has in enumerate(fields):
            cells = sample(sheet, header, at)
            if not has and cells and sum(map(tests[field], cells)) >= _MOST_OF * len(cells):
                fields[at] = field
                break


def sample(sheet: Sheet, header: int, column: int, most: int = _SAMPLE) -> list[SheetCell]:
    """The first cells of a column that hold something."""
    found: list[SheetCell] = []
    for row in sheet.rows[header + 1 :]:
        if column < len(row) and as_text(row[column]):
            found.append(row[column])
            if len(found) == most:
                break
    return found


def _tests(resource: Resource, shop: ShopModel) -> Mapping[str, Callable[[SheetCell], bool]]:
    """What the cells of a field look like; the strictest first, because each column is taken once."""
    stores = shop.stores
    categories = {fold(shop.text_of(Resource.CATEGORIES, slot, "name")) for slot in stores[Resource.CATEGORIES].slots()}
    statuses = {fold(word) for code in shop.status_choices() for word in (code, shop.vocabulary.get(code, code))}

    def is_id(of: Resource) -> Callable[[SheetCell], bool]:
        def names_one(cell: SheetCell) -> bool:
            text = as_text(cell)
            return any(key is not None and key in stores[of] for key in (parse_id(text), id_of_text(text.strip())))

        return names_one

    tests: dict[str, Callable[[SheetCell], bool]] = {
        "id": is_id(resource),
        "pet_id": is_id(Resource.PETS),
        "category_id": is_id(Resource.CATEGORIES),
        "category": lambda cell: fold(as_text(cell)) in categories,
        "status": lambda cell: fold(as_text(cell)) in statuses,
        "ship_date": lambda cell: not isinstance(cell, int | float) and read_date(cell, "dmy") is not None,
        "complete": lambda cell: read_flag(cell, shop.vocabulary) is not None,
        "quantity": lambda cell: parse_id(as_text(cell)) is not None,
        "name": lambda cell: isinstance(cell, str) and parse_id(cell) is None,
        "pet": lambda cell: isinstance(cell, str) and parse_id(cell) is None,
    }
    if resource is Resource.PETS:
        del tests["quantity"], tests["pet_id"]
    return tests
