"""What a column of a file may become: the fields of each kind of record, and the words by which they are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import ALL_SPECS, FieldKind, Resource

ImportKind: TypeAlias = FieldKind | Literal["category", "pet", "booking"]


class ImportField(Struct, frozen=True):
    """One field. `kind`: how its cells are read; `words`: names of columns that mean it, as `header_word` makes
    them."""

    id: str
    kind: ImportKind
    words: frozenset[str]


def header_word(text: str) -> str:
    """What two spellings of a column's name have in common: `Category_ID`, `categoryId` and `category id`."""
    return "".join(letter for letter in fold(text) if letter.isalnum())


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
